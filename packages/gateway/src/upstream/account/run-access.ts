import { type Soon, soon } from "../../time/soon.ts";
import type { ProtocolName } from "../protocols/driver.ts";
import type { RunAccount } from "../run/run-parts.ts";
import type { CursorAccountOptions } from "./account-options.ts";
import type { Hosts } from "./hosts.ts";
import { type ClientIdentity, olderHeaders, runHeaders } from "./identity.ts";

/** The model may only use the client's own tools, because Cursor's run on machines that are not the user's. */
const ALLOWED_TOOLS = "mcp_tool_call";
/** Nothing of it runs on the user's machine. */
const WEB_SEARCH = "web_search_tool_call";

/** The client that the gateway identifies itself as. */
export function identityFor(
	{ identity, chatIdentity }: Pick<CursorAccountOptions, "identity" | "chatIdentity">,
	protocol: ProtocolName,
): ClientIdentity {
	return protocol === "agent" ? identity : chatIdentity(protocol);
}

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
		const { tokens, facts, environment, now } = this.#options;
		return soon(tokens.token(), (token) =>
			soon(facts.privacy.ghostMode(), (ghostMode) => {
				this.#token = token;
				const identity = identityFor(this.#options, protocol);
				const { timeZone } = environment;
				return protocol === "agent"
					? runHeaders(identity, {
							token,
							ghostMode,
							requestId,
							now: now(),
							originalRequestId,
							allowedTools: this.#searchesWeb ? `${ALLOWED_TOOLS},${WEB_SEARCH}` : ALLOWED_TOOLS,
						})
					: olderHeaders(identity, { token, ghostMode, requestId, now: now(), timeZone });
			}),
		);
	}

	tokenRefused(): Promise<void> {
		return this.#options.tokens.tokenRefused(this.#token);
	}
}
