// The table of all settings: variables, default, and how the value is parsed.
import { TURN_MODES } from "../turn/request.ts";
import { chooseClientVersion, PINNED_CLIENT_VERSION } from "./client-versions.ts";
import { installedCliVersion } from "./installed-cursor.ts";
import { LIMIT_SETTINGS } from "./limit-settings.ts";
import { setting } from "./setting.ts";
import { flag, folder, mapOf, oneOf, origins, redisUrl, stringMap, text, url, wholeNumber } from "./setting-parsers.ts";

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug", "trace"] as const;
const LOG_FORMATS = ["auto", "text", "json"] as const;
const SYSTEM_PROMPT_CHANNELS = ["auto", "cloud-rule", "rules", "root", "custom", "all"] as const;
const TOOL_CHANNELS = ["auto", "run-request", "request-context", "both"] as const;
const VAULTS = ["auto", "keychain", "file"] as const;
const PROTOCOLS = ["auto", "agent", "unified", "legacy"] as const;
const UNIFIED_STREAMS = ["auto", "idempotent", "plain"] as const;
const CHAT_FRAMINGS = ["connect", "grpc-web"] as const;
const CACHE_TOKENS = ["auto", "included", "added"] as const;
const MODES = ["auto", ...TURN_MODES] as const;
const CHECKSUM_FORMS = ["auto", "machine", "token", "opencursor"] as const;

export const SETTINGS = {
	upstream: setting({
		env: ["CURSORWIRE_UPSTREAM", "CURSOR_BACKEND_URL"],
		foreign: { env: "CURSOR_URL", read: withoutRpc },
		default: "https://api2.cursor.sh",
		parse: url,
		about: "base URL of Cursor's backend",
	}),
	website: setting({
		env: ["CURSORWIRE_WEBSITE", "CURSOR_WEBSITE_URL"],
		default: "https://cursor.com",
		parse: url,
		about: "base URL of the login page",
	}),
	dataDir: setting({
		env: ["CURSORWIRE_DATA_DIR"],
		default: "",
		parse: folder,
		about: "folder for credentials, conversations and the model list",
	}),
	redis: setting({
		env: ["CURSORWIRE_REDIS"],
		default: "",
		parse: redisUrl,
		about:
			"URL (redis or rediss) of a Redis server that several gateways share; it replaces the file for conversations and keys",
	}),
	vault: setting({
		env: ["CURSORWIRE_VAULT"],
		default: "auto",
		parse: oneOf(VAULTS),
		about: "where credentials are stored: in the system's keychain or in a file",
	}),
	host: setting({ env: ["CURSORWIRE_HOST"], default: "127.0.0.1", parse: text, about: "address to listen on" }),
	port: setting({
		env: ["CURSORWIRE_PORT"],
		foreign: { env: "PORT" },
		default: 4280,
		parse: wholeNumber(0, 65_535),
		about: "port to listen on",
	}),
	key: setting({
		env: ["CURSORWIRE_KEY"],
		default: "",
		parse: text,
		about: "gateway key to use instead of a generated one",
	}),
	keyFile: setting({
		env: ["CURSORWIRE_KEY_FILE"],
		default: "",
		parse: text,
		about: "file that contains the gateway key; only its owner may be able to read it",
	}),
	acceptCursorCredentials: setting({
		env: ["CURSORWIRE_ACCEPT_CURSOR_CREDENTIALS"],
		default: false,
		parse: flag,
		about: "accept Cursor API keys and session tokens instead of a gateway key; each request then uses that account",
	}),
	noAuth: setting({ env: ["CURSORWIRE_NO_AUTH"], default: false, parse: flag, about: "accept requests without a key" }),
	allowRemote: setting({
		env: ["CURSORWIRE_ALLOW_REMOTE"],
		default: false,
		parse: flag,
		about: "listen on an address that other machines can reach",
	}),
	allowHosts: setting({
		env: ["CURSORWIRE_ALLOW_HOSTS"],
		default: "",
		parse: text,
		about:
			"additional names to accept in the Host header, for other machines that call the gateway, separated by commas",
	}),
	allowOrigins: setting({
		env: ["CURSORWIRE_ALLOW_ORIGINS"],
		default: "",
		parse: origins,
		about: "origins of web pages that may use the gateway, such as http://localhost:3000, separated by commas",
	}),
	page: setting({
		env: ["CURSORWIRE_PAGE"],
		default: true,
		parse: flag,
		about: "serve the page that shows what runs and what it costs; `cursorwire open` opens it",
	}),
	pageRemote: setting({
		env: ["CURSORWIRE_PAGE_REMOTE"],
		default: false,
		parse: flag,
		about: "serve the page to other machines as well; allowRemote alone does not",
	}),
	http1: setting({
		env: ["CURSORWIRE_HTTP1"],
		default: false,
		parse: flag,
		about: "use HTTP/1.1 for runs without trying HTTP/2",
	}),
	protocol: setting({
		env: ["CURSORWIRE_PROTOCOL"],
		default: "auto",
		parse: oneOf(PROTOCOLS),
		about: "which of Cursor's protocols to use; `auto` uses an older one only if the agent service is missing",
	}),
	modelProtocols: setting<Readonly<Record<string, string>>>({
		env: [],
		default: {},
		parse: mapOf(oneOf(PROTOCOLS)),
		about: "the protocol for individual models, by the name that the client requests",
	}),
	unifiedStream: setting({
		env: ["CURSORWIRE_UNIFIED_STREAM"],
		default: "auto",
		parse: oneOf(UNIFIED_STREAMS),
		about:
			"which RPC carries the unified protocol: the one with tools (`auto`), its idempotent form, or the plain one without tools",
	}),
	chatFraming: setting({
		env: ["CURSORWIRE_CHAT_FRAMING"],
		default: "connect",
		parse: oneOf(CHAT_FRAMINGS),
		about: "how the older protocols frame messages",
	}),
	chatClientVersion: setting({
		env: ["CURSORWIRE_CHAT_CLIENT_VERSION"],
		default: "2.0.77",
		parse: text,
		about: "x-cursor-client-version of the older protocols",
	}),
	checksumForm: setting({
		env: ["CURSORWIRE_CHECKSUM_FORM"],
		default: "auto",
		parse: oneOf(CHECKSUM_FORMS),
		about:
			"how x-cursor-checksum of the older protocols is computed: from an id of this installation (`machine`), from the access token (`token`), or as OpenCursor does it",
	}),
	checksum: setting({
		env: ["CURSORWIRE_CHECKSUM"],
		foreign: { env: "CURSOR_CHECKSUM" },
		default: "",
		parse: text,
		about: "fixed value of x-cursor-checksum for the older protocols",
	}),
	webSearch: setting({
		env: ["CURSORWIRE_WEB_SEARCH"],
		default: false,
		parse: flag,
		about:
			"let Cursor search the web where a client asks for it, which counts against the account's usage; otherwise clients are told that there is no search",
	}),
	metricsKeys: setting({
		env: ["CURSORWIRE_METRICS_KEYS"],
		default: false,
		parse: flag,
		about: "metrics by the names of keys too, of at most 32 keys",
	}),
	logLevel: setting({
		env: ["CURSORWIRE_LOG_LEVEL"],
		default: "info",
		parse: oneOf(LOG_LEVELS),
		about: "how much to log",
	}),
	logFormat: setting({
		env: ["CURSORWIRE_LOG_FORMAT"],
		default: "auto",
		parse: oneOf(LOG_FORMATS),
		about: "how the log is written: readable lines (`text`), JSON lines (`json`), or `auto`: text in a terminal only",
	}),
	clientType: setting({
		env: ["CURSORWIRE_CLIENT_TYPE"],
		default: "cli",
		parse: text,
		about: "x-cursor-client-type",
	}),
	clientVersion: setting({
		env: ["CURSORWIRE_CLIENT_VERSION"],
		found: (places) => chooseClientVersion(installedCliVersion(places)),
		default: PINNED_CLIENT_VERSION,
		parse: text,
		about:
			"x-cursor-client-version; by default that of the newest Cursor CLI on this machine, otherwise the newest version that Cursor is not known to refuse",
	}),
	systemPrompt: setting({
		env: ["CURSORWIRE_SYSTEM_PROMPT"],
		default: "auto",
		parse: oneOf(SYSTEM_PROMPT_CHANNELS),
		about:
			"how the system prompt is sent; `auto`: as `cursorwire calibrate` found that it reaches the model, otherwise as cloud-rule; `all` sends it three times",
	}),
	toolChannel: setting({
		env: ["CURSORWIRE_TOOL_CHANNEL"],
		default: "auto",
		parse: oneOf(TOOL_CHANNELS),
		about:
			"where the client's tools are sent; `auto`: where `cursorwire calibrate` found that they reach the model, otherwise in the run request",
	}),
	cacheTokens: setting({
		env: ["CURSORWIRE_CACHE_TOKENS"],
		default: "auto",
		parse: oneOf(CACHE_TOKENS),
		about:
			"whether Cursor's count of input tokens includes cached tokens or they are added to it; `auto`: as observed in earlier turns, otherwise included",
	}),
	modelAliases: setting<Readonly<Record<string, string>>>({
		env: ["CURSORWIRE_MODEL_ALIASES"],
		default: {},
		parse: stringMap,
		about: "additional names for models; a star matches anything",
	}),
	mode: setting({
		env: ["CURSORWIRE_MODE"],
		default: "auto",
		parse: oneOf(MODES),
		about: "the mode of a request that does not name one; `auto`: agent, or what the tools suggest",
	}),
	maxMode: setting({
		env: ["CURSORWIRE_MAX_MODE"],
		default: false,
		parse: flag,
		about: "use Max Mode, with the largest context window, for every model that has it; Cursor charges more for it",
	}),
	record: setting({
		env: ["CURSORWIRE_RECORD"],
		default: "",
		parse: text,
		about: "folder for a recording of each run; texts are masked",
	}),
	recordContent: setting({
		env: ["CURSORWIRE_RECORD_CONTENT"],
		default: false,
		parse: flag,
		about: "include the texts of prompts and replies in recordings",
	}),
	httpsProxy: setting({ env: ["HTTPS_PROXY", "https_proxy"], default: "", parse: text, about: "proxy for https" }),
	httpProxy: setting({ env: ["HTTP_PROXY", "http_proxy"], default: "", parse: text, about: "proxy for http" }),
	noProxy: setting({ env: ["NO_PROXY", "no_proxy"], default: "", parse: text, about: "hosts reached without a proxy" }),
	caFile: setting({
		env: ["CURSORWIRE_CA_FILE", "NODE_EXTRA_CA_CERTS"],
		default: "",
		parse: text,
		about: "PEM file with additional certificate authorities",
	}),
	apiKey: setting({
		env: ["CURSOR_API_KEY"],
		default: "",
		parse: text,
		about: "Cursor API key to use without a login",
	}),
	...LIMIT_SETTINGS,
	webSockets: setting({
		env: ["CURSORWIRE_WEB_SOCKETS"],
		default: true,
		parse: flag,
		about: "serve Responses over WebSockets too, as Codex can use them; without, clients are told to use HTTP",
	}),
	openBrowser: setting({
		env: ["CURSORWIRE_OPEN_BROWSER"],
		// Over SSH the browser would open on the wrong machine, or not at all.
		presence: { env: ["NO_OPEN_BROWSER", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"], value: false },
		default: true,
		parse: flag,
		about: "open the login page in a browser",
	}),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { [N in SettingName]: (typeof SETTINGS)[N]["default"] extends infer T ? Widen<T> : never };
type Widen<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

/** Some users have a URL that includes the RPC. */
function withoutRpc(value: string): string {
	return value.replace(/\/aiserver\.v1\.AiService\/StreamChat\/?$/, "");
}
