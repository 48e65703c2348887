import { Secret } from "./secret.ts";
import { readClaims } from "./token/jwt.ts";

/** A Cursor credential as a person or a client provides it. */
export type WrittenCredential = { kind: "api-key"; apiKey: Secret } | { kind: "session-token"; token: Secret };

const MAX_LENGTH = 16_384;
const API_KEY = /^(?:crsr|key)_[\w-]+$/;
const COOKIE_NAME = /^WorkosCursorSessionToken=/i;
/** The user id before the token in a session cookie. Its characters may be percent-encoded. */
const USER_PREFIX = /^(?:[\w.|-]|%[0-9a-f]{2})+?(?:::|%3A%3A)(?=ey)/i;

/**
 * Recognises the credentials that Cursor issues: `crsr_…` and `key_…` API keys, the WorkosCursorSessionToken cookie
 * (encoded or plain, with or without its name) and the JWT alone. Undefined for anything else, such as a gateway key.
 */
export function parseCredential(written: string): WrittenCredential | undefined {
	const text = unwrap(written);
	if (text.length > MAX_LENGTH) return undefined;
	if (API_KEY.test(text)) return { kind: "api-key", apiKey: new Secret(text) };
	const token = text.replace(USER_PREFIX, "");
	return readClaims(token) === undefined ? undefined : { kind: "session-token", token: new Secret(token) };
}

/** Removes what may be copied along with a value: spaces, quotes, the name of the cookie, the next cookie. */
function unwrap(written: string): string {
	const bare = written.trim().replace(/^(["'])(.*)\1$/s, "$2");
	return COOKIE_NAME.test(bare) ? bare.replace(COOKIE_NAME, "").replace(/;.*$/s, "") : bare;
}

/** The secret itself, without anything around it. */
export function secretOf(credential: WrittenCredential): Secret {
	return credential.kind === "api-key" ? credential.apiKey : credential.token;
}

/**
 * The normal form of a credential: equal for every spelling of the same secret, and different for any other secret. The
 * signature of a token is compared by its bytes, because its last base64 character can be written in several ways.
 */
export function meaningOf(credential: WrittenCredential): Secret {
	if (credential.kind === "api-key") return credential.apiKey;
	const [header, claims, signature = ""] = credential.token.reveal().split(".");
	return new Secret(`${header}.${claims}.${Buffer.from(signature, "base64url").toString("base64url")}`);
}
