import { SLICE_LENGTH, type Sliced } from "../time/slices.ts";
import { chunks } from "./digest.ts";

/** `Buffer.concat` in slices: writing tens of megabytes of new memory blocks for a noticeable time. */
export function* joinBytes(pieces: readonly Uint8Array[]): Sliced<Buffer> {
	const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
	if (length <= SLICE_LENGTH) return Buffer.concat(pieces, length);
	const whole = Buffer.allocUnsafeSlow(length);
	let at = 0;
	for (const piece of pieces) {
		for (const chunk of chunks(piece)) {
			whole.set(chunk, at);
			at += chunk.length;
			yield;
		}
	}
	return whole;
}
