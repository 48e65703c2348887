import { Secret } from "./secret.ts";
import { readClaims } from "./token/jwt.ts";

/** A Cursor credential as a person or a client writes it. */
export type WrittenCredential = { kind: "api-key"; apiKey: Secret } | { kind: "session-token"; token: Secret };

const LONGEST = 16_384;
const API_KEY = /^(?:crsr|key)_[\w-]+$/;
const COOKIE_NAME = /^WorkosCursorSessionToken=/i;
/** The user id in front of the token in a session cookie, whose characters may be percent-encoded. */
const USER_PREFIX = /^(?:[\w.|-]|%[0-9a-f]{2})+?(?:::|%3A%3A)(?=ey)/i;

/**
 * Recognises what Cursor hands out: `crsr_…` and `key_…` API keys, the WorkosCursorSessionToken cookie (encoded or
 * plain, with or without its name) and the JWT alone. Anything else, such as a gateway key, is undefined.
 */
export function parseCredential(written: string): WrittenCredential | undefined {
	const text = unwrap(written);
	if (text.length > LONGEST) return undefined;
	if (API_KEY.test(text)) return { kind: "api-key", apiKey: new Secret(text) };
	const token = text.replace(USER_PREFIX, "");
	return readClaims(token) === undefined ? undefined : { kind: "session-token", token: new Secret(token) };
}

/** Takes off what comes along when a value is copied: blanks, quotes, the cookie's name, the next cookie. */
function unwrap(written: string): string {
	const bare = written.trim().replace(/^(["'])(.*)\1$/s, "$2");
	return COOKIE_NAME.test(bare) ? bare.replace(COOKIE_NAME, "").replace(/;.*$/s, "") : bare;
}

/** The secret itself, without anything around it. */
export function secretOf(credential: WrittenCredential): Secret {
	return credential.kind === "api-key" ? credential.apiKey : credential.token;
}

/**
 * What a credential stands for: the same for every spelling of it, and told from any other by the whole secret. The
 * signature of a token is compared by its bytes, as its last letter can be written in several ways.
 */
export function meaningOf(credential: WrittenCredential): Secret {
	if (credential.kind === "api-key") return credential.apiKey;
	const [header, claims, signature = ""] = credential.token.reveal().split(".");
	return new Secret(`${header}.${claims}.${Buffer.from(signature, "base64url").toString("base64url")}`);
}
