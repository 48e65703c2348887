import type { Secret } from "./secret.ts";
import { type AccessToken, foundToken } from "./token/access-token.ts";

/** What every kind of credential has. */
interface Bound {
	/** The only origin that the secrets of this credential are ever sent to. */
	origin: string;
	/** Stays the same when the credential is renewed: distinguishes a renewed login from another login. */
	login: string;
	/** The number of renewals of this login. Unlike a time it never decreases. */
	revision: number;
}

/** A key from Cursor's dashboard, which can be exchanged for access tokens as often as needed. */
export interface ApiKeyCredential extends Bound {
	kind: "api-key";
	apiKey: Secret;
	access?: AccessToken;
}

/** A browser login: an access token and a refresh token, which may be valid for a single use. */
export interface SessionCredential extends Bound {
	kind: "session";
	access: AccessToken;
	refreshToken: Secret;
	/** The refresh call that worked last; it is tried first. */
	refreshCall?: string;
}

/** A pasted web session token. It cannot be renewed: when it expires, a new one has to be pasted. */
export interface SessionTokenCredential extends Bound {
	kind: "session-token";
	access: AccessToken;
}

export type Credential = ApiKeyCredential | SessionCredential | SessionTokenCredential;
export type CredentialKind = Credential["kind"];

export const KIND_NAMES: Record<CredentialKind, string> = {
	"api-key": "API key",
	session: "browser login",
	"session-token": "session token",
};

export function apiKeyCredential(origin: string, apiKey: Secret): ApiKeyCredential {
	return { kind: "api-key", origin, login: apiKey.fingerprint(), revision: 0, apiKey };
}

export function sessionCredential(origin: string, access: AccessToken, refreshToken: Secret): SessionCredential {
	return { kind: "session", origin, login: refreshToken.fingerprint(), revision: 0, access, refreshToken };
}

export function sessionTokenCredential(origin: string, token: Secret, now: number): SessionTokenCredential {
	const { value, expiresAt } = foundToken(token, now);
	const access = { value, expiresAt, renewAt: expiresAt };
	return { kind: "session-token", origin, login: token.fingerprint(), revision: 0, access };
}
