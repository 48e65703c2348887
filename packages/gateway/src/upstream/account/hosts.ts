import { type GetServerConfigResponse, Http2Config, ServerConfigService } from "@cursorwire/protocol/aiserver";
import type { Soon } from "../../time/soon.ts";
import { callUnary, type RpcClient } from "./rpc.ts";

/** Where the runs of an account go. */
export interface Hosts {
	agentUrl: URL;
	/** `upstream`: GetServerConfig named no usable host or failed, so runs go where all other calls go. */
	source: "server-config" | "upstream";
	/** Which HTTP version the backend wants for runs. `unset` means that the gateway decides. */
	http2Config: "unset" | "http1" | "http2";
}

type ServerConfig = Pick<GetServerConfigResponse, "agentUrlConfig" | "http2Config">;

const HTTP2_CONFIGS: Readonly<Record<number, Hosts["http2Config"]>> = {
	[Http2Config.UNSPECIFIED]: "unset",
	[Http2Config.FORCE_ALL_DISABLED]: "http1",
	[Http2Config.FORCE_ALL_ENABLED]: "http2",
	[Http2Config.FORCE_BIDI_DISABLED]: "http1",
	[Http2Config.FORCE_BIDI_ENABLED]: "http2",
};
const CURSOR_DOMAINS = ["cursor.sh", "cursor.com"];

/**
 * The agent host of an account, taken from the GetServerConfig response if there is one. `privateHost` selects the host
 * that serves accounts in privacy mode.
 */
export function resolveHosts(
	upstream: URL,
	config: ServerConfig | undefined,
	ghostMode: boolean,
	privateHost: "agent" | "agentn" = "agent",
): Hosts {
	const named =
		ghostMode === (privateHost === "agent") ? config?.agentUrlConfig?.agentUrl : config?.agentUrlConfig?.agentnUrl;
	const agentUrl = usableHost(named, upstream);
	return {
		agentUrl: agentUrl ?? upstream,
		source: agentUrl ? "server-config" : "upstream",
		http2Config: HTTP2_CONFIGS[config?.http2Config ?? 0] ?? "unset",
	};
}

/** The access token is sent there, so the named host must stay within Cursor's domains and must not drop TLS. */
function usableHost(text: string | undefined, upstream: URL): URL | undefined {
	if (!text || !URL.canParse(text)) return undefined;
	const url = new URL(text);
	if (url.protocol !== "https:" && (url.protocol !== "http:" || upstream.protocol === "https:")) return undefined;
	if (url.username || url.password) return undefined;
	if (isCursor(upstream) && !isCursor(url)) return undefined;
	return url;
}

function isCursor({ hostname }: URL): boolean {
	return CURSOR_DOMAINS.some((domain) => hostname === domain || hostname.endsWith(`.${domain}`));
}

const DEADLINE_MS = 5000;
const KEEP_MS = 3_600_000;
const KEEP_FAILURE_MS = 10_000;

/** The server configuration of one account, read when a run first needs it and kept for an hour. */
export class HostDirectory {
	readonly #client: RpcClient;
	readonly #ghostMode: () => Soon<boolean>;
	#config: ServerConfig | undefined;
	/** What follows from the configuration, by privacy mode and choice of the private host. */
	#resolved = new Map<string, Hosts>();
	#validUntil = Number.NEGATIVE_INFINITY;
	#reading: Promise<void> | undefined;

	constructor(client: RpcClient, ghostMode: () => Soon<boolean>) {
		this.#client = client;
		this.#ghostMode = ghostMode;
	}

	/** Never fails. Without a configuration, runs go to the upstream itself. */
	resolve(privateHost: "agent" | "agentn" = "agent"): Soon<Hosts> {
		const isValid = this.#client.now() < this.#validUntil;
		const ghostMode = this.#ghostMode();
		if (isValid && typeof ghostMode === "boolean") return this.#hostsFor(ghostMode, privateHost);
		return this.#ask(isValid ? undefined : this.#read(), ghostMode, privateHost);
	}

	async #ask(reading: Promise<void> | undefined, ghostMode: Soon<boolean>, privateHost: "agent" | "agentn") {
		const isPrivate = await ghostMode;
		await reading;
		return this.#hostsFor(isPrivate, privateHost);
	}

	#hostsFor(ghostMode: boolean, privateHost: "agent" | "agentn"): Hosts {
		const key = ghostMode ? `private ${privateHost}` : privateHost;
		const known = this.#resolved.get(key);
		if (known) return known;
		const hosts = resolveHosts(this.#client.baseUrl, this.#config, ghostMode, privateHost);
		this.#resolved.set(key, hosts);
		return hosts;
	}

	/** Called when the host responded as if it did not serve this account, so that the next run asks again. */
	forget(): void {
		this.#validUntil = Number.NEGATIVE_INFINITY;
	}

	#read(): Promise<void> {
		this.#reading ??= this.#readConfig().finally(() => {
			this.#reading = undefined;
		});
		return this.#reading;
	}

	async #readConfig(): Promise<void> {
		try {
			const method = ServerConfigService.method.getServerConfig;
			this.#config = await callUnary(this.#client, method, {}, { deadlineMs: DEADLINE_MS });
			this.#resolved.clear();
			this.#validUntil = this.#client.now() + KEEP_MS;
		} catch {
			// An older configuration is better than none, since an account's hosts rarely change.
			this.#validUntil = this.#client.now() + KEEP_FAILURE_MS;
		}
	}
}
