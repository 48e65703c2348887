import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

/** Constant, so that a client's stored login survives a restart of the emulator. It protects nothing. */
const SIGNING_SECRET = "cursorwire-emulator";

export type TokenKind = "access" | "refresh";

export interface Claims {
	sub: string;
	type: TokenKind;
	iat: number;
	exp: number;
	jti: string;
	/** The generation of the token. Raising the current generation expires all earlier tokens. */
	gen: number;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const signature = (text: string) => createHmac("sha256", SIGNING_SECRET).update(text).digest();

/** A JWT with the claims of Cursor's own: `sub` is `auth0|user_…`, times are in seconds. */
export function issueToken(userId: string, type: TokenKind, lifeSeconds: number, now: number, gen = 0): string {
	const iat = Math.floor(now / 1000);
	const exp = Math.floor(iat + lifeSeconds);
	const claims: Claims = { sub: `auth0|${userId}`, type, iat, exp, jti: randomUUID(), gen };
	const unsigned = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
	return `${unsigned}.${signature(unsigned).toString("base64url")}`;
}

/** The claims of a token that this emulator signed, expired or not. */
export function readToken(token: string): Claims | undefined {
	const [header, payload, mac] = token.split(".");
	if (!header || !payload || !mac) return undefined;
	const given = Buffer.from(mac, "base64url");
	const expected = signature(`${header}.${payload}`);
	if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
	return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Claims;
}
