/** Pieces are joined when there are so many: a list of single characters costs twenty times its text. */
const JOINED_PIECES = 1_024;

/** Gathers a text that comes in pieces of any size, at about the cost of the text itself. */
export class TextBuffer {
	#joined: string[] = [];
	#pieces: string[] = [];
	#length = 0;

	/** In characters. */
	get length(): number {
		return this.#length;
	}

	add(text: string): void {
		this.#length += text.length;
		if (this.#pieces.push(text) === JOINED_PIECES) this.#join();
	}

	/** All of it, in parts whose borders mean nothing. */
	parts(): readonly string[] {
		this.#join();
		return this.#joined;
	}

	toString(): string {
		return this.parts().join("");
	}

	/** Hands the text over and starts anew. */
	take(): string {
		const text = this.toString();
		this.#joined = [];
		this.#length = 0;
		return text;
	}

	#join(): void {
		if (this.#pieces.length > 0) this.#joined.push(this.#pieces.join(""));
		this.#pieces = [];
	}
}
