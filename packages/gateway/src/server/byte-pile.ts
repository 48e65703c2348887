import { joinBytes } from "../text/join-bytes.ts";
import type { Sliced } from "../time/slices.ts";

const BLOCK_BYTES = 64 * 1024;

/**
 * Bytes that come in pieces and are wanted in one. Large pieces are kept as they are until then: copying each into
 * its place would leave as much garbage as there is content. Small ones are put together, as a million of them would
 * cost many times what they hold.
 */
export class BytePile {
	readonly #pieces: Buffer[] = [];
	#block: Buffer | undefined;
	#filled = 0;
	#length = 0;

	get length(): number {
		return this.#length;
	}

	add(piece: Buffer): void {
		this.#length += piece.length;
		if (this.#filled + piece.length > BLOCK_BYTES) this.#closeBlock();
		if (piece.length >= BLOCK_BYTES / 4) {
			this.#closeBlock();
			this.#pieces.push(piece);
		} else {
			this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES);
			this.#filled += piece.copy(this.#block, this.#filled);
		}
	}

	/** Everything in one piece. The pile is empty then. */
	*take(): Sliced<Buffer> {
		this.#closeBlock();
		const pieces = this.#pieces.splice(0);
		this.#block = undefined;
		return yield* joinBytes(pieces);
	}

	/** What the block holds becomes a piece of its own size, and the block is used again. */
	#closeBlock(): void {
		if (this.#filled > 0) this.#pieces.push(Buffer.from(this.#block!.subarray(0, this.#filled)));
		this.#filled = 0;
	}
}
