import type { Soon } from "../../time/soon.ts";
import type { ProtocolName } from "../protocols/driver.ts";
import type { RunAccount } from "../run/run-parts.ts";
import type { CursorAccountOptions } from "./account-options.ts";
import type { Hosts } from "./hosts.ts";
import { type ClientIdentity, olderHeaders, type RunFacts, runHeaders } from "./identity.ts";

/** The model may only use the client's own tools, because Cursor's run on machines that are not the user's. */
const ALLOWED_TOOLS = "mcp_tool_call";
/** Nothing of it runs on the user's machine. */
const WITH_WEB_SEARCH = `${ALLOWED_TOOLS},web_search_tool_call`;

/** The client that the gateway identifies itself as. */
export function identityFor(
	{ identity, chatIdentity }: Pick<CursorAccountOptions, "identity" | "chatIdentity">,
	protocol: ProtocolName,
): ClientIdentity {
	return protocol === "agent" ? identity : chatIdentity(protocol);
}

type RunIds = Pick<RunFacts, "requestId" | "originalRequestId">;

/** The account as one run uses it. It knows which token that run has sent. */
export class RunAccess implements RunAccount {
	readonly key: string;
	readonly http: RunAccount["http"];
	readonly #options: CursorAccountOptions;
	readonly #hosts: Hosts;
	readonly #searchesWeb: boolean;
	#token = "";

	constructor(options: CursorAccountOptions, hosts: Hosts, searchesWeb: boolean) {
		this.key = options.id;
		this.http = hosts.http2Config === "unset" ? undefined : hosts.http2Config;
		this.#options = options;
		this.#hosts = hosts;
		this.#searchesWeb = searchesWeb;
	}

	origin(protocol: ProtocolName): URL {
		return protocol === "agent" ? this.#hosts.agentUrl : this.#options.facts.client.baseUrl;
	}

	headers(protocol: ProtocolName, requestId: string, originalRequestId: string): Soon<Record<string, string>> {
		const ids = { requestId, originalRequestId };
		const token = this.#options.tokens.token();
		if (token instanceof Promise) return token.then((known) => this.#headersWith(known, protocol, ids));
		return this.#headersWith(token, protocol, ids);
	}

	#headersWith(token: string, protocol: ProtocolName, ids: RunIds): Soon<Record<string, string>> {
		const ghostMode = this.#options.facts.privacy.ghostMode();
		if (ghostMode instanceof Promise) return ghostMode.then((known) => this.#writeHeaders(token, known, protocol, ids));
		return this.#writeHeaders(token, ghostMode, protocol, ids);
	}

	#writeHeaders(token: string, ghostMode: boolean, protocol: ProtocolName, ids: RunIds): Record<string, string> {
		this.#token = token;
		const { environment, now } = this.#options;
		const { requestId, originalRequestId } = ids;
		const identity = identityFor(this.#options, protocol);
		if (protocol !== "agent") {
			return olderHeaders(identity, { token, ghostMode, requestId, now: now(), timeZone: environment.timeZone });
		}
		const allowedTools = this.#searchesWeb ? WITH_WEB_SEARCH : ALLOWED_TOOLS;
		return runHeaders(identity, { token, ghostMode, requestId, now: now(), originalRequestId, allowedTools });
	}

	tokenRefused(): Promise<void> {
		return this.#options.tokens.tokenRefused(this.#token);
	}
}
