import { randomUUID } from "node:crypto";

/**
 * A random UUID as one piece of text. Node puts it together from sixteen pieces, all of which V8 keeps until somebody
 * reads the characters: half a kilobyte for each id, for as long as a turn lasts.
 */
export function flatId(): string {
	return Buffer.from(randomUUID(), "latin1").toString("latin1");
}
