import { hash } from "node:crypto";

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
	return hash("sha256", key, "hex");
}
