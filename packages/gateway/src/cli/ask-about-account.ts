import { openUpstreamSide } from "../app/upstream/open-upstream.ts";
import type { Settings } from "../config/settings.ts";
import type { LoginStatus } from "../credentials/login/login-status.ts";
import { toGatewayError } from "../turn/error.ts";
import type { AccountProfile } from "../upstream/account/profile.ts";

/** Adds what Cursor says about the account of a login, which may be that it refuses the login. */
export async function askAboutAccount(
	login: LoginStatus,
	settings: Settings,
): Promise<LoginStatus & Partial<AccountProfile>> {
	if (!login.signedIn) return login;
	const upstream = await openUpstreamSide(settings);
	try {
		const { facts } = await upstream.ownAccount();
		return { ...login, ...(await facts.profile()) };
	} catch (cause) {
		const { kind, message, nextStep, fullMessage } = toGatewayError(cause);
		if (kind !== "signed-out") return { ...login, notes: [...login.notes, `Cursor was not asked: ${message}`] };
		return { ...login, signedIn: false, problem: { message, nextStep }, notes: [fullMessage, ...login.notes] };
	} finally {
		await upstream.close();
	}
}
