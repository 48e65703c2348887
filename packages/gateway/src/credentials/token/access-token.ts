import type { Secret } from "../secret.ts";
import { readClaims } from "./jwt.ts";

/** An access token and its times, in milliseconds of this machine's clock. */
export interface AccessToken {
	value: Secret;
	expiresAt: number;
	/** From this time on a new token is fetched first. */
	renewAt: number;
}

const RENEW_AHEAD_MS = 5 * 60_000;
const ASSUMED_LIFE_MS = 60 * 60_000;
/** A token is not renewed more often than this, however short its life is. */
const MIN_USE_MS = 30_000;

/**
 * A token that the backend has just issued. Its lifetime is counted from now. Otherwise, if our clock is a day off, then
 * every new token would look expired (and be renewed endlessly), or an expired token would look valid for another day.
 */
export function issuedToken(value: Secret, now: number): AccessToken {
	const life = lifeOf(value, now);
	const use = Math.max(life - RENEW_AHEAD_MS, life / 2, MIN_USE_MS);
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
	// The backend does not issue expired tokens, so our clock is ahead.
	if (left <= 0) return whole ?? ASSUMED_LIFE_MS;
	return Math.min(left, whole ?? left);
}
