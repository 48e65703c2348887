// Which host serves an account's runs: docs/protocol.md, Hosts and headers.
import { AgentService } from "@cursorwire/protocol/agent";
import type { Account } from "./accounts/account.ts";
import { bearerToken } from "./accounts/directory.ts";
import type { Backend } from "./backend.ts";
import type { Exchange } from "./http/exchange.ts";

/** The host that a listener stands for: the main one, or one of the two that serve runs. */
export type HostRole = "main" | "agent" | "agentn";

export function isRun(exchange: Exchange): boolean {
	return exchange.path.startsWith(`/${AgentService.typeName}/Run`);
}

/** With separate agent hosts, only one of them serves an account's runs; its privacy mode says which. */
export function servesRuns(backend: Backend, exchange: Exchange, role: HostRole): boolean {
	if (!backend.separateAgentHosts) return true;
	if (role === "main") return false;
	const wanted = backend.switches.get("privacy-host");
	if (wanted === "any") return true;
	const privateHost = wanted;
	const otherHost = wanted === "agent" ? "agentn" : "agent";
	return role === (isPrivate(backend, exchange) ? privateHost : otherHost);
}

function isPrivate(backend: Backend, exchange: Exchange): boolean {
	const token = bearerToken(exchange.headers.authorization);
	let account: Account;
	try {
		account = backend.directory.byAccessToken(token && `Bearer ${token}`);
	} catch {
		return true;
	}
	return account.privacyMode === "no-storage" || account.privacyMode === "no-training";
}
