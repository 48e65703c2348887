import { createHash, type Hash, hash as hashOf } from "node:crypto";
import { SLICE_LENGTH, type Sliced, stretches } from "../time/slices.ts";

/** Up to about so many characters are hashed in one call, which costs a fraction of a hash that is fed piece by piece. */
const ONE_CALL = 1 << 14;

/** SHA-256 of texts and bytes. A zero byte follows each part, so that moving a boundary changes the digest. */
export function* digestOf(parts: Iterable<string | Uint8Array | Iterable<string>>): Sliced<Buffer> {
	let hash: Hash | undefined;
	let text = "";
	for (const part of parts) {
		for (const piece of piecesOf(part)) {
			if (typeof piece === "string" && text.length + piece.length <= ONE_CALL) {
				text += piece;
				continue;
			}
			hash = (hash ?? createHash("sha256")).update(text).update(piece);
			text = "";
			if (piece.length >= SLICE_LENGTH / 2) yield;
		}
		text += "\0";
		yield;
	}
	return hash ? hash.update(text).digest() : hashOf("sha256", text, "buffer");
}

function piecesOf(part: string | Uint8Array | Iterable<string>): Iterable<string | Uint8Array> {
	if (typeof part === "string") return stretches(part);
	return part instanceof Uint8Array ? chunks(part) : part;
}

/** The bytes in pieces that each take little time to process. */
export function* chunks(bytes: Uint8Array): Generator<Uint8Array, void, undefined> {
	for (let start = 0; start < bytes.length; start += SLICE_LENGTH) yield bytes.subarray(start, start + SLICE_LENGTH);
}
