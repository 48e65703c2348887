import type { Readable } from "node:stream";

/** The bytes of a connection, taken out in the lengths that are asked for. Nothing is read that nobody waits for. */
export class ByteSource {
	readonly #chunks: AsyncIterator<Buffer>;
	/** What was read and is not taken yet. */
	#rest: Buffer;

	constructor(stream: Readable, first: Buffer) {
		this.#chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
		this.#rest = first;
	}

	/** Exactly so many bytes; undefined if the connection ends before. For short lengths. */
	async take(length: number): Promise<Buffer | undefined> {
		while (this.#rest.length < length) {
			const more = await this.#next();
			if (!more) return undefined;
			this.#rest = Buffer.concat([this.#rest, more]);
		}
		const taken = this.#rest.subarray(0, length);
		this.#rest = this.#rest.subarray(length);
		return taken;
	}

	/** Hands on so many bytes piece by piece. False if the connection ends before. */
	async pass(length: number, pieces: (piece: Buffer) => void): Promise<boolean> {
		for (let left = length; left > 0; ) {
			if (this.#rest.length === 0) {
				const more = await this.#next();
				if (!more) return false;
				this.#rest = more;
			}
			const piece = this.#rest.subarray(0, left);
			this.#rest = this.#rest.subarray(piece.length);
			left -= piece.length;
			pieces(piece);
		}
		return true;
	}

	async #next(): Promise<Buffer | undefined> {
		const { done, value } = await this.#chunks.next();
		return done ? undefined : value;
	}
}
