import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { AuthClient, AuthRequest } from "../login/auth-client.ts";
import { isPolicyViolation, refusedResponse } from "../login/auth-failure.ts";
import type { AuthResponse } from "../login/auth-response.ts";
import { Secret } from "../secret.ts";
import { EXCHANGE_PATH } from "./exchange.ts";

export interface Refreshed {
	accessToken: Secret;
	/** Absent if the old one stays valid. */
	refreshToken?: Secret;
	/** The call that worked. */
	call: string;
}

/** The client id of Cursor's desktop program, which `/oauth/token` requires. */
const OAUTH_CLIENT_ID = "KbZUR41cY7W6zRSdpSUJ7I7mLYBKOCmB";

/** How known clients renew a session, in the order to try. None is documented, so we do not rely on a single one. */
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

/** The time limit of all calls together. Shorter than the time that another process waits for the lock. */
const TOTAL_MS = 15_000;

export interface RefreshOptions {
	client: AuthClient;
	clock: Clock;
	/** The call that worked last time, which is tried first. */
	preferred?: string | undefined;
	/** Only this call is tried, to find out whether it works. */
	only?: string | undefined;
}

/** Every call refused the refresh token. */
export class RenewalRefused extends GatewayError {}

/**
 * Gets new tokens for a refresh token. If a call refuses the token or fails, the next one is tried. A call with an
 * unknown outcome ends the attempt, because it may have used up a single-use token.
 */
export async function refreshSession(refreshToken: Secret, options: RefreshOptions): Promise<Refreshed> {
	const { client, clock, preferred } = options;
	const giveUpAt = clock.now() + TOTAL_MS;
	let failure: GatewayError | undefined;
	for (const call of options.only === undefined ? inOrder(preferred) : [options.only]) {
		const request = CALLS[call]!(refreshToken);
		const response = await client.call({ ...request, deadlineMs: Math.max(giveUpAt - clock.now(), 1) });
		const tokens = tokensIn(response);
		if (tokens !== undefined) return { ...tokens, call };
		const refused = refusedResponse(response);
		if (!mayTryNext(response)) throw refused;
		if (response.status >= 500) failure ??= refused;
	}
	throw failure ?? new RenewalRefused("signed-out", "Cursor no longer renews the login.");
}

function inOrder(preferred: string | undefined): string[] {
	const names = Object.keys(CALLS);
	return preferred !== undefined && preferred in CALLS
		? [preferred, ...names.filter((name) => name !== preferred)]
		: names;
}

function tokensIn({ status, json }: AuthResponse): Omit<Refreshed, "call"> | undefined {
	if (status !== 200) return undefined;
	const accessToken = secretOf(json?.accessToken ?? json?.access_token);
	return accessToken && { accessToken, refreshToken: secretOf(json?.refreshToken ?? json?.refresh_token) };
}

function mayTryNext(response: AuthResponse): boolean {
	if (response.status === 429 || isPolicyViolation(response)) return false;
	if (response.status >= 400) return true;
	// `/oauth/token` reports an ended session with status 200. Other responses without a token have no known meaning.
	return response.json?.shouldLogout === true;
}

function secretOf(value: unknown): Secret | undefined {
	return typeof value === "string" && value !== "" ? new Secret(value) : undefined;
}
