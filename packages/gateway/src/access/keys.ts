import { createHash, timingSafeEqual } from "node:crypto";

/** Gives as many random bytes. */
export type Random = (size: number) => Uint8Array;

const PREFIX = "cw_";
const RANDOM_BYTES = 32;

/** A new gateway key: 256 random bits behind a prefix by which people and secret scanners know it. */
export function makeKey(random: Random): string {
	return PREFIX + Buffer.from(random(RANDOM_BYTES)).toString("base64url");
}

/** Whether a text has the form of a key we made. Such a text is never sent to Cursor as a credential. */
export function isGatewayKey(text: string): boolean {
	return text.startsWith(PREFIX);
}

/** What is kept of a key. Not salted and not slow: there is nothing to guess in 256 random bits. */
export function hashKey(key: string): string {
	return createHash("sha256").update(key, "utf8").digest("hex");
}

/** Compares whole hashes in a time that tells nothing about where they differ. */
export function isSameHash(one: string, other: string): boolean {
	const [left, right] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
	return left.length === 32 && right.length === 32 && timingSafeEqual(left, right);
}
