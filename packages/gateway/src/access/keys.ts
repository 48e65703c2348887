import { createHash, timingSafeEqual } from "node:crypto";

/** Returns `size` random bytes. */
export type Random = (size: number) => Uint8Array;

const PREFIX = "cw_";
const RANDOM_BYTES = 32;

/** A new gateway key: 256 random bits after a prefix by which people and secret scanners recognise it. */
export function makeKey(random: Random): string {
	return PREFIX + Buffer.from(random(RANDOM_BYTES)).toString("base64url");
}

/** Whether a text has the form of a key we made. Such a text is never sent to Cursor as a credential. */
export function isGatewayKey(text: string): boolean {
	return text.startsWith(PREFIX);
}

/** What the store keeps of a key. A salt or a slow hash is not needed: 256 random bits cannot be guessed. */
export function hashKey(key: string): string {
	return createHash("sha256").update(key, "utf8").digest("hex");
}

/** Compares two hashes in constant time, so that timing does not reveal where they differ. */
export function isSameHash(one: string, other: string): boolean {
	const [left, right] = [Buffer.from(one, "hex"), Buffer.from(other, "hex")];
	return left.length === 32 && right.length === 32 && timingSafeEqual(left, right);
}
