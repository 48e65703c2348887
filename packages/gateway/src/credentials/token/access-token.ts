import type { Secret } from "../secret.ts";
import { readClaims } from "./jwt.ts";

/** An access token and its times, in milliseconds of this machine's clock. */
export interface AccessToken {
	value: Secret;
	expiresAt: number;
	/** From here on a new one is fetched before this one is handed out. */
	renewAt: number;
}

const RENEW_AHEAD_MS = 5 * 60_000;
const ASSUMED_LIFE_MS = 60 * 60_000;
/** However short a token lives, it is not renewed more often than this. */
const LEAST_USE_MS = 30_000;

/**
 * A token that the backend has just issued. Its life counts from now: a clock that is a day off then neither makes
 * every new token look expired (which would renew without end) nor an expired one look good for a day.
 */
export function issuedToken(value: Secret, now: number): AccessToken {
	const life = lifeOf(value, now);
	const use = Math.max(life - RENEW_AHEAD_MS, life / 2, LEAST_USE_MS);
	return { value, expiresAt: now + life, renewAt: now + Math.min(use, life) };
}

/** A token that was issued some time ago: pasted by a person or read from another program's files. */
export function foundToken(value: Secret, now: number): AccessToken {
	const exp = readClaims(value.reveal())?.expiresAt;
	const expiresAt = exp === undefined ? now + ASSUMED_LIFE_MS : exp * 1000;
	return { value, expiresAt, renewAt: expiresAt - RENEW_AHEAD_MS };
}

function lifeOf(value: Secret, now: number): number {
	const { issuedAt, expiresAt } = readClaims(value.reveal()) ?? {};
	if (expiresAt === undefined) return ASSUMED_LIFE_MS;
	const left = expiresAt * 1000 - now;
	const whole = issuedAt !== undefined && expiresAt > issuedAt ? (expiresAt - issuedAt) * 1000 : undefined;
	// Nobody issues an expired token: it is our clock that is ahead.
	if (left <= 0) return whole ?? ASSUMED_LIFE_MS;
	return Math.min(left, whole ?? left);
}
