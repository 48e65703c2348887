// Every setting once: its variables, its default, how it is read.
import { TURN_MODES } from "../turn/request.ts";
import { type ClientVersionSource, chooseClientVersion, PINNED_CLIENT_VERSION } from "./client-versions.ts";
import { installedCliVersion } from "./installed-cursor.ts";
import type { Places } from "./places.ts";

interface Setting<T> {
	/** Variables in order of precedence; the vendor's own names are understood where a user may have them set. */
	env: readonly string[];
	/** Variables whose mere presence, even empty, means this value; what `env` says goes before them. */
	presence?: { env: readonly string[]; value: T };
	/** A variable of another program that a user may come from; it counts last, and a notice names ours. */
	foreign?: { env: string; read?(value: string): string };
	/** Where nobody chose a value: one that fits this machine better than the default. */
	found?(places: Places): { value: T; from: ClientVersionSource };
	default: T;
	parse(value: unknown): T;
	about: string;
}

const setting = <T>(entry: Setting<T>): Setting<T> => entry;

const LOG_LEVELS = ["silent", "error", "warn", "info", "debug", "trace"] as const;
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
		parse: text,
		about: "folder for credentials, conversations and the model list",
	}),
	redis: setting({
		env: ["CURSORWIRE_REDIS"],
		default: "",
		parse: redisUrl,
		about: "redis or rediss URL of a Redis that several gateways share, in place of a file for conversations and keys",
	}),
	vault: setting({
		env: ["CURSORWIRE_VAULT"],
		default: "auto",
		parse: oneOf(VAULTS),
		about: "where credentials are kept: the keychain of the system, or a file",
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
		about: "gateway key to use in place of a made one",
	}),
	keyFile: setting({
		env: ["CURSORWIRE_KEY_FILE"],
		default: "",
		parse: text,
		about: "file that holds the gateway key, readable by its owner alone",
	}),
	acceptCursorCredentials: setting({
		env: ["CURSORWIRE_ACCEPT_CURSOR_CREDENTIALS"],
		default: false,
		parse: flag,
		about: "take API keys and session tokens of Cursor in place of a gateway key, each for its own account",
	}),
	noAuth: setting({ env: ["CURSORWIRE_NO_AUTH"], default: false, parse: flag, about: "take requests without a key" }),
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
		about: "further names in the Host header under which other machines call the gateway, separated by commas",
	}),
	allowOrigins: setting({
		env: ["CURSORWIRE_ALLOW_ORIGINS"],
		default: "",
		parse: origins,
		about: "origins of web pages that may use the gateway, such as http://localhost:3000, separated by commas",
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
		about: "which of Cursor's protocols to speak; auto takes an older one only where the agent service is missing",
	}),
	modelProtocols: setting<Readonly<Record<string, string>>>({
		env: [],
		default: {},
		parse: mapOf(oneOf(PROTOCOLS)),
		about: "the protocol for single models, by the name that a client asks for",
	}),
	unifiedStream: setting({
		env: ["CURSORWIRE_UNIFIED_STREAM"],
		default: "auto",
		parse: oneOf(UNIFIED_STREAMS),
		about: "which RPC carries the unified protocol: with tools, idempotent, or plain without tools",
	}),
	chatFraming: setting({
		env: ["CURSORWIRE_CHAT_FRAMING"],
		default: "connect",
		parse: oneOf(CHAT_FRAMINGS),
		about: "how the older protocols wrap messages",
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
			"how x-cursor-checksum of the older protocols is made: over an id of this install, or over the token, with short hashes or as OpenCursor has it",
	}),
	checksum: setting({
		env: ["CURSORWIRE_CHECKSUM"],
		foreign: { env: "CURSOR_CHECKSUM" },
		default: "",
		parse: text,
		about: "x-cursor-checksum of the older protocols, sent as it is",
	}),
	logLevel: setting({
		env: ["CURSORWIRE_LOG_LEVEL"],
		default: "info",
		parse: oneOf(LOG_LEVELS),
		about: "how much is logged",
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
			"x-cursor-client-version; where it is not set, that of the newest Cursor CLI on this machine, or else the newest that Cursor is not known to refuse",
	}),
	systemPrompt: setting({
		env: ["CURSORWIRE_SYSTEM_PROMPT"],
		default: "auto",
		parse: oneOf(SYSTEM_PROMPT_CHANNELS),
		about:
			"where a system prompt travels; `auto`: where `cursorwire calibrate` found it to be read, or as cloud-rule; `all` sends it three times",
	}),
	toolChannel: setting({
		env: ["CURSORWIRE_TOOL_CHANNEL"],
		default: "auto",
		parse: oneOf(TOOL_CHANNELS),
		about:
			"where the client's tools are offered; `auto`: where `cursorwire calibrate` found them to be read, or in the run request",
	}),
	cacheTokens: setting({
		env: ["CURSORWIRE_CACHE_TOKENS"],
		default: "auto",
		parse: oneOf(CACHE_TOKENS),
		about:
			"whether Cursor's count of input tokens includes those of its cache, or they are added to it; `auto`: as turns have shown, or included",
	}),
	modelAliases: setting<Readonly<Record<string, string>>>({
		env: ["CURSORWIRE_MODEL_ALIASES"],
		default: {},
		parse: stringMap,
		about: "further names for models; a star stands for anything",
	}),
	mode: setting({
		env: ["CURSORWIRE_MODE"],
		default: "auto",
		parse: oneOf(MODES),
		about: "how the model works where a request does not say; auto: as an agent, or as the tools suggest",
	}),
	maxMode: setting({
		env: ["CURSORWIRE_MAX_MODE"],
		default: false,
		parse: flag,
		about: "run every model that has it in Max Mode, with its largest context window; Cursor charges more for it",
	}),
	record: setting({
		env: ["CURSORWIRE_RECORD"],
		default: "",
		parse: text,
		about: "folder to write a recording of each run to; texts are masked",
	}),
	recordContent: setting({
		env: ["CURSORWIRE_RECORD_CONTENT"],
		default: false,
		parse: flag,
		about: "recordings hold the texts of prompts and answers",
	}),
	httpsProxy: setting({ env: ["HTTPS_PROXY", "https_proxy"], default: "", parse: text, about: "proxy for https" }),
	httpProxy: setting({ env: ["HTTP_PROXY", "http_proxy"], default: "", parse: text, about: "proxy for http" }),
	noProxy: setting({ env: ["NO_PROXY", "no_proxy"], default: "", parse: text, about: "hosts reached without a proxy" }),
	caFile: setting({
		env: ["CURSORWIRE_CA_FILE", "NODE_EXTRA_CA_CERTS"],
		default: "",
		parse: text,
		about: "PEM file with further certificate authorities",
	}),
	apiKey: setting({
		env: ["CURSOR_API_KEY"],
		default: "",
		parse: text,
		about: "Cursor API key to use without a login",
	}),
	maxAnswerMiB: setting({
		env: ["CURSORWIRE_MAX_ANSWER_MIB"],
		default: 64,
		parse: wholeNumber(1, 4_096),
		about: "MiB of text, thinking and tool arguments that one answer may have",
	}),
	maxRunMiB: setting({
		env: ["CURSORWIRE_MAX_RUN_MIB"],
		default: 4_096,
		parse: wholeNumber(1, 1_048_576),
		about: "MiB that one run may receive from Cursor in all",
	}),
	maxParkedMiB: setting({
		env: ["CURSORWIRE_MAX_PARKED_MIB"],
		default: 8,
		parse: wholeNumber(1, 4_096),
		about: "MiB that a run may receive while it waits for results of tools",
	}),
	maxBlobMiB: setting({
		env: ["CURSORWIRE_MAX_BLOB_MIB"],
		default: 128,
		parse: wholeNumber(1, 4_096),
		about: "MiB of a conversation that Cursor may store in the gateway during a run",
	}),
	maxArgumentsMiB: setting({
		env: ["CURSORWIRE_MAX_ARGUMENTS_MIB"],
		default: 16,
		parse: wholeNumber(1, 4_096),
		about: "MiB of arguments that one tool call may have",
	}),
	maxCallsPerStep: setting({
		env: ["CURSORWIRE_MAX_CALLS_PER_STEP"],
		default: 1_000,
		parse: wholeNumber(1, 1_000_000),
		about: "tool calls that a model may make at once",
	}),
	maxBodyMiB: setting({
		env: ["CURSORWIRE_MAX_BODY_MIB"],
		default: 32,
		parse: wholeNumber(1, 256),
		about: "MiB that the body of a request may have",
	}),
	bodyBudgetMiB: setting({
		env: ["CURSORWIRE_BODY_BUDGET_MIB"],
		default: 144,
		parse: wholeNumber(16, 65_536),
		about: "MiB of bodies that may be on their way in at once, of all callers; each caller has its share of them",
	}),
	maxTurns: setting({
		env: ["CURSORWIRE_MAX_TURNS"],
		default: 256,
		parse: wholeNumber(1, 1_000_000),
		about: "turns that may be under way at once, in all",
	}),
	maxTurnsPerKey: setting({
		env: ["CURSORWIRE_MAX_TURNS_PER_KEY"],
		default: 64,
		parse: wholeNumber(1, 1_000_000),
		about: "turns that may be under way at once for a key without a limit of its own",
	}),
	maxGuestTurns: setting({
		env: ["CURSORWIRE_MAX_GUEST_TURNS"],
		default: 192,
		parse: wholeNumber(0, 1_000_000),
		about: "turns that may be under way at once for all credentials of Cursor's together",
	}),
	maxParkedRuns: setting({
		env: ["CURSORWIRE_MAX_PARKED_RUNS"],
		default: 256,
		parse: wholeNumber(0, 1_000_000),
		about: "runs that may wait for results of tools at once, in all",
	}),
	maxParkedRunsPerKey: setting({
		env: ["CURSORWIRE_MAX_PARKED_RUNS_PER_KEY"],
		default: 32,
		parse: wholeNumber(0, 1_000_000),
		about: "runs that may wait for results of tools at once, for a key",
	}),
	parkedMinutes: setting({
		env: ["CURSORWIRE_PARKED_MINUTES"],
		default: 15,
		parse: wholeNumber(1, 10_080),
		about: "minutes that a run waits for results of tools",
	}),
	maxConnections: setting({
		env: ["CURSORWIRE_MAX_CONNECTIONS"],
		default: 1_024,
		parse: wholeNumber(8, 1_000_000),
		about: "connections of clients at once, where the system allows as many open files",
	}),
	openBrowser: setting({
		env: ["CURSORWIRE_OPEN_BROWSER"],
		// Over SSH the browser would open on the wrong machine, or nowhere.
		presence: { env: ["NO_OPEN_BROWSER", "SSH_CONNECTION", "SSH_CLIENT", "SSH_TTY"], value: false },
		default: true,
		parse: flag,
		about: "open the login page in a browser",
	}),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = { [N in SettingName]: (typeof SETTINGS)[N]["default"] extends infer T ? Widen<T> : never };
type Widen<T> = T extends string ? string : T extends number ? number : T extends boolean ? boolean : T;

function text(value: unknown): string {
	if (typeof value !== "string") throw new Error("takes a text");
	return value;
}

function url(value: unknown): string {
	const parsed = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
	if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:")
		throw new Error(`"${value}" is no http or https URL`);
	return parsed.href.replace(/\/$/, "");
}

/** Each as a browser writes it, so that comparing texts is enough; a star would let in every page there is. */
function origins(value: unknown): string {
	const list = text(value)
		.split(",")
		.flatMap((origin) => origin.trim() || []);
	for (const origin of list) {
		const isOrigin = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
		if (!isOrigin) throw new Error(`takes origins such as http://localhost:3000, not "${origin}"`);
	}
	return list.join(",");
}

/** Its password is not repeated in the error. Options in a query would be the driver's own, so there are none. */
function redisUrl(value: unknown): string {
	if (value === "") return "";
	const parsed = URL.canParse(String(value)) ? new URL(String(value)) : undefined;
	const { protocol = "", hostname = "", pathname = "", search = "", hash = "" } = parsed ?? {};
	const isRedis = protocol === "redis:" || protocol === "rediss:";
	if (!isRedis || hostname === "" || !/^(\/\d*)?$/.test(pathname) || search !== "" || hash !== "") {
		throw new Error(
			"takes redis://user:password@host:port/number, of which only redis (or rediss) and host are needed",
		);
	}
	return parsed!.href;
}

/** Some name the RPC along with its host. */
function withoutRpc(value: string): string {
	return value.replace(/\/aiserver\.v1\.AiService\/StreamChat\/?$/, "");
}

function flag(value: unknown): boolean {
	if (typeof value === "boolean") return value;
	if (value === "1" || value === "true") return true;
	if (value === "0" || value === "false") return false;
	throw new Error(`takes true or false, not "${value}"`);
}

function wholeNumber(least: number, most: number) {
	return (value: unknown): number => {
		const number = typeof value === "number" ? value : /^\d+$/.test(String(value)) ? Number(value) : Number.NaN;
		if (!Number.isInteger(number) || number < least || number > most) {
			throw new Error(`takes a whole number from ${least} to ${most}, not "${value}"`);
		}
		return number;
	};
}

function oneOf<T extends string>(values: readonly T[]) {
	return (value: unknown): string => {
		if (!values.includes(value as T)) throw new Error(`takes ${values.join(", ")}, not "${value}"`);
		return value as T;
	};
}

function mapOf(parse: (value: unknown) => string) {
	return (value: unknown): Record<string, string> =>
		Object.fromEntries(Object.entries(stringMap(value)).map(([name, target]) => [name, parse(target)]));
}

/** An object of texts, or the same in one line: `claude-haiku-*=composer-1,fast=gpt-5.4`. */
function stringMap(value: unknown): Record<string, string> {
	if (typeof value === "string") return pairs(value);
	const entries = typeof value === "object" && value !== null ? Object.entries(value) : undefined;
	if (!entries?.every(([, target]) => typeof target === "string")) throw new Error("takes an object of texts");
	return Object.fromEntries(entries);
}

function pairs(line: string): Record<string, string> {
	return Object.fromEntries(
		line.split(",").map((pair) => {
			const [name = "", target = "", ...rest] = pair.split("=").map((text) => text.trim());
			if (name === "" || target === "" || rest.length > 0) throw new Error(`takes name=value, not "${pair.trim()}"`);
			return [name, target];
		}),
	);
}
