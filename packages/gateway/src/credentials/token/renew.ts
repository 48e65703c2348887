import type { Clock } from "../../time/clock.ts";
import { GatewayError } from "../../turn/error.ts";
import type { ApiKeyCredential, Credential, SessionCredential } from "../credential.ts";
import type { AuthClient } from "../login/auth-client.ts";
import { type AccessToken, issuedToken } from "./access-token.ts";
import { exchangeApiKey } from "./exchange.ts";
import { RenewalRefused, refreshSession } from "./refresh.ts";

export interface RenewOptions {
	client: AuthClient;
	clock: Clock;
	/** Wall-clock time in milliseconds. */
	now: () => number;
	/** Only this one of the calls that renew a browser login is tried. */
	only?: string | undefined;
}

/** Renews the access token of a credential in the way of its kind. The credential is only sent to its own origin. */
export async function renewCredential(credential: Credential, options: RenewOptions): Promise<Credential> {
	options.client.requireOrigin(credential.origin);
	switch (credential.kind) {
		case "api-key":
			return renewByKey(credential, options);
		case "session":
			return renewByRefreshToken(credential, options);
		case "session-token":
			throw sessionTokenEnded(credential.access, options.now());
	}
}

/** A session token is of no use any more: because of its date, or because Cursor says so. */
export function sessionTokenEnded({ expiresAt }: AccessToken, now: number): GatewayError {
	const message =
		expiresAt <= now
			? `The session token expired on ${dateOf(expiresAt)}, and session tokens cannot be renewed.`
			: "Cursor refuses the session token: it was revoked, for example by signing out in the browser.";
	return new GatewayError("signed-out", message, {
		nextStep: "Run `cursorwire login`, or paste a new one with `cursorwire login --session-token`.",
	});
}

/** Whether a renewal may invalidate the stored credential, so that the renewed one must be stored before it is used. */
export function isSpentByRenewal(credential: Credential): boolean {
	return credential.kind === "session";
}

async function renewByKey(credential: ApiKeyCredential, { client, now }: RenewOptions): Promise<ApiKeyCredential> {
	const token = await exchangeApiKey(client, credential.apiKey);
	return { ...credential, revision: credential.revision + 1, access: issuedToken(token, now()) };
}

async function renewByRefreshToken(
	credential: SessionCredential,
	{ client, clock, now, only }: RenewOptions,
): Promise<SessionCredential> {
	const { refreshToken, refreshCall } = credential;
	const refreshed = await refreshSession(refreshToken, { client, clock, preferred: refreshCall, only }).catch(
		(error) => {
			throw error instanceof RenewalRefused ? sessionEnded(credential.access, now()) : error;
		},
	);
	return {
		...credential,
		revision: credential.revision + 1,
		access: issuedToken(refreshed.accessToken, now()),
		refreshToken: refreshed.refreshToken ?? refreshToken,
		refreshCall: refreshed.call,
	};
}

function sessionEnded({ expiresAt }: AccessToken, now: number): GatewayError {
	const message =
		expiresAt <= now
			? `The login expired on ${dateOf(expiresAt)}, and Cursor no longer renews it.`
			: "Cursor has revoked the login: it accepts neither its token nor a renewal.";
	return new GatewayError("signed-out", message, { nextStep: "Run `cursorwire login` to sign in again." });
}

const dateOf = (time: number): string => new Date(time).toISOString().slice(0, 10);
