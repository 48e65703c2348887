import { joinBytes } from "../text/join-bytes.ts";
import type { Sliced } from "../time/slices.ts";

const BLOCK_BYTES = 64 * 1024;

/**
 * Collects bytes that arrive in pieces and are needed as one. Large pieces are kept as they are until the end: copying
 * each of them earlier would produce as much garbage as content. Small pieces are joined into blocks, because a million
 * small buffers take many times the memory of their content.
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

	/** Everything in one piece. Empties the pile. */
	*take(): Sliced<Buffer> {
		this.#closeBlock();
		const pieces = this.#pieces.splice(0);
		this.#block = undefined;
		return yield* joinBytes(pieces);
	}

	/** Copies the content of the block into a piece of its own, so that the block can be reused. */
	#closeBlock(): void {
		if (this.#filled > 0) this.#pieces.push(Buffer.from(this.#block!.subarray(0, this.#filled)));
		this.#filled = 0;
	}
}
