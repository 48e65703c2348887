import { randomUUID } from "node:crypto";
import { ServerConfigService } from "@cursorwire/protocol/aiserver";
import type { AuthClient } from "../../credentials/login/auth-client.ts";
import { nextPoll, START } from "../../credentials/login/login-poll.ts";
import type { CredentialStore } from "../../credentials/open-account.ts";
import { REFRESH_CALLS } from "../../credentials/token/refresh.ts";
import { renewCredential } from "../../credentials/token/renew.ts";
import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import { emptyRequest } from "../../turn/request.ts";
import type { CursorAccount } from "../../upstream/account/cursor-account.ts";
import { callUnary } from "../../upstream/account/rpc.ts";
import type { Evidence, HostName } from "../evidence.ts";
import { probeDriver } from "./probe-driver.ts";
import { runProbe } from "./probe-run.ts";

// What can be found out without asking a model.

/** What the server asks of its clients, and which hosts answer. */
export async function lookAtServer(account: CursorAccount, evidence: Evidence, signal: AbortSignal): Promise<void> {
	const method = ServerConfigService.method.getServerConfig;
	const config = await callUnary(account.facts.client, method, {}, { signal }).catch((error) => {
		if (error instanceof GatewayError && error.kind === "signed-out") throw error;
		return undefined;
	});
	if (config) evidence.http2Config = config.http2Config;
	const { agentUrl = "", agentnUrl = "" } = config?.agentUrlConfig ?? {};
	const hosts: readonly HostName[] = agentUrl === agentnUrl ? ["agent"] : ["agent", "agentn"];
	for (const privateHost of hosts) {
		const request = emptyRequest("auto");
		request.messages = [{ role: "user", content: [{ type: "text", text: "" }] }];
		const driver = (chosen: Parameters<typeof probeDriver>[0]) => probeDriver(chosen, { knock: true });
		const probe = { request, conversation: { conversationId: randomUUID() }, variation: { driver, privateHost } };
		evidence.knocks[privateHost] = await runProbe(account, probe, signal);
	}
}

/** Asks after a login that nobody began. */
export async function lookAtPolling(client: AuthClient, evidence: Evidence, signal: AbortSignal): Promise<void> {
	const json = { uuid: randomUUID(), verifier: randomUUID() };
	const answer = await client.call({ path: "/auth/poll", json, signal }).catch(() => undefined);
	if (!answer) return;
	const step = nextPoll(START, answer);
	evidence.pollMethod = "state" in step ? step.state.method : "POST";
}

/**
 * Tries each refresh call by itself. What a call brings is stored before the next is tried; one that refuses has used
 * up nothing; one of which nobody knows what it did is the last.
 */
export async function tryRefreshCalls(
	{ keeper, client }: Pick<CredentialStore, "keeper" | "client">,
	{ clock, now }: { clock: Clock; now: () => number },
	evidence: Evidence,
): Promise<void> {
	if ((await keeper.load())?.kind !== "session") return;
	const working: string[] = [];
	for (const only of REFRESH_CALLS) {
		try {
			await keeper.renew({
				isDue: () => true,
				spend: (kept) => renewCredential(kept, { client, clock, now, only }),
			});
			working.push(only);
		} catch (error) {
			if (!(error instanceof GatewayError) || error.kind !== "signed-out") return;
		}
	}
	evidence.refreshCalls = working;
	const [refreshCall] = working;
	if (refreshCall === undefined) return;
	await keeper.renew({
		isDue: (kept) => kept.kind === "session" && kept.refreshCall !== refreshCall,
		spend: async (kept) => ({ ...kept, revision: kept.revision + 1, refreshCall }),
	});
}
