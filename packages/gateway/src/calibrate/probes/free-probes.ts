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

// Probes that need no model, so they cost nothing.

/** Reads the server's configuration, and tries which agent hosts serve the account. */
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

/** Polls for a login that was never begun, to see which method the server accepts. */
export async function lookAtPolling(client: AuthClient, evidence: Evidence, signal: AbortSignal): Promise<void> {
	const json = { uuid: randomUUID(), verifier: randomUUID() };
	const answer = await client.call({ path: "/auth/poll", json, signal }).catch(() => undefined);
	if (!answer) return;
	const step = nextPoll(START, answer);
	evidence.pollMethod = "state" in step ? step.state.method : "POST";
}

/**
 * Tries each refresh call separately. The new tokens are stored before the next call is tried. A refused call has not
 * used up the refresh token, so the next one is tried; after any other failure that is uncertain, so it stops.
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
