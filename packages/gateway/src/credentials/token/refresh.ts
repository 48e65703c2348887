import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { AuthClient, AuthRequest } from "../login/auth-client.ts";
import { isPolicyViolation, refusedAnswer } from "../login/auth-failure.ts";
import type { AuthAnswer } from "../login/auth-response.ts";
import { Secret } from "../secret.ts";
import { EXCHANGE_PATH } from "./exchange.ts";

export interface Refreshed {
	accessToken: Secret;
	/** Absent where the old one stays good. */
	refreshToken?: Secret;
	/** The call that worked. */
	call: string;
}

/** The client id of Cursor's desktop program, without which `/oauth/token` answers nobody. */
const OAUTH_CLIENT_ID = "KbZUR41cY7W6zRSdpSUJ7I7mLYBKOCmB";

/** How clients in the wild renew a session, in the order to try. None is documented, so no single one is relied on. */
const CALLS: Record<string, (refreshToken: Secret) => AuthRequest> = {
	exchange: (token) => ({ path: EXCHANGE_PATH, bearer: token }),
	"auth-refresh": (token) => ({ path: "/auth/refresh", bearer: token }),
	"auth-token": (token) => ({ path: "/auth/token", json: { refreshToken: token.reveal() } }),
	"oauth-token": (token) => ({
		path: "/oauth/token",
		json: { grant_type: "refresh_token", client_id: OAUTH_CLIENT_ID, refresh_token: token.reveal() },
	}),
};

export const REFRESH_CALLS: readonly string[] = Object.keys(CALLS);

/** For all calls together; shorter than the time another process waits for the lock. */
const TOTAL_MS = 15_000;

export interface RefreshOptions {
	client: AuthClient;
	clock: Clock;
	/** The call that worked last time goes first. */
	preferred?: string | undefined;
	/** This call and no other, for finding out which ones work. */
	only?: string | undefined;
}

/**
 * New tokens for a refresh token. A call that refuses the token or fails leads to the next; a call whose outcome is
 * unknown ends it, because a single-use token may be spent by then.
 */
export async function refreshSession(refreshToken: Secret, options: RefreshOptions): Promise<Refreshed> {
	const { client, clock, preferred } = options;
	const giveUpAt = clock.now() + TOTAL_MS;
	let failure: GatewayError | undefined;
	for (const call of options.only === undefined ? inOrder(preferred) : [options.only]) {
		const request = CALLS[call]!(refreshToken);
		const answer = await client.call({ ...request, deadlineMs: Math.max(giveUpAt - clock.now(), 1) });
		const tokens = tokensIn(answer);
		if (tokens !== undefined) return { ...tokens, call };
		const refused = refusedAnswer(answer);
		if (!leadsOn(answer)) throw refused;
		if (answer.status >= 500) failure ??= refused;
	}
	throw failure ?? new GatewayError("signed-out", "The login has expired: Cursor no longer renews it.");
}

function inOrder(preferred: string | undefined): string[] {
	const names = Object.keys(CALLS);
	return preferred !== undefined && preferred in CALLS
		? [preferred, ...names.filter((name) => name !== preferred)]
		: names;
}

function tokensIn({ status, json }: AuthAnswer): Omit<Refreshed, "call"> | undefined {
	if (status !== 200) return undefined;
	const accessToken = secretOf(json?.accessToken ?? json?.access_token);
	return accessToken && { accessToken, refreshToken: secretOf(json?.refreshToken ?? json?.refresh_token) };
}

function leadsOn(answer: AuthAnswer): boolean {
	if (answer.status === 429 || isPolicyViolation(answer)) return false;
	if (answer.status >= 400) return true;
	// `/oauth/token` tells a dead session in a 200. Any other answer without a token is a riddle.
	return answer.json?.shouldLogout === true;
}

function secretOf(value: unknown): Secret | undefined {
	return typeof value === "string" && value !== "" ? new Secret(value) : undefined;
}
