import { DashboardService } from "@cursorwire/protocol/aiserver";
import { callUnary, type RpcClient } from "./rpc.ts";

/** Whose account it is. */
export interface AccountProfile {
	email: string | undefined;
	plan: string | undefined;
}

/** For a command that a person waits for, and that works without it. */
const DEADLINE_MS = 3_000;

/** The plan is optional; that Cursor knows the account is not. */
export async function readProfile(client: RpcClient): Promise<AccountProfile> {
	const { getMe, getPlanInfo } = DashboardService.method;
	const [me, plan] = await Promise.all([
		callUnary(client, getMe, {}, { deadlineMs: DEADLINE_MS }),
		callUnary(client, getPlanInfo, {}, { deadlineMs: DEADLINE_MS }).catch(() => undefined),
	]);
	return { email: me.email || undefined, plan: plan?.planInfo?.planName || undefined };
}
