import { createHash } from "node:crypto";
import { SLICE_LENGTH, type Sliced, stretches } from "../time/slices.ts";

/** SHA-256 of texts and bytes. A zero byte follows each part, so that moving a boundary changes the digest. */
export function* digestOf(parts: Iterable<string | Uint8Array | Iterable<string>>): Sliced<Buffer> {
	const hash = createHash("sha256");
	for (const part of parts) {
		for (const piece of piecesOf(part)) {
			hash.update(piece);
			if (piece.length >= SLICE_LENGTH / 2) yield;
		}
		hash.update("\0");
		yield;
	}
	return hash.digest();
}

function piecesOf(part: string | Uint8Array | Iterable<string>): Iterable<string | Uint8Array> {
	if (typeof part === "string") return stretches(part);
	return part instanceof Uint8Array ? chunks(part) : part;
}

/** The bytes in pieces that each take little time to process. */
export function* chunks(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
	for (let start = 0; start < bytes.length; start += SLICE_LENGTH) yield bytes.subarray(start, start + SLICE_LENGTH);
}
