/** How many pieces are collected before they are joined: a list of single characters uses twenty times the memory. */
const JOINED_PIECES = 1_024;
/** The same for long pieces, each of which may be made of many short ones. */
const JOINED_LENGTH = 16_384;

/** What a buffer has before its first piece; never added to. */
const NONE: string[] = [];

/** Collects a text that arrives in pieces of any size, using about as much memory as the text itself. */
export class TextBuffer {
	#joined = NONE;
	#pieces = NONE;
	#length = 0;
	/** Of the pieces that are not joined yet. */
	#waiting = 0;

	/** In characters. */
	get length(): number {
		return this.#length;
	}

	add(text: string): void {
		this.#length += text.length;
		this.#waiting += text.length;
		// A list that begins with its first piece takes no more memory than that: V8 makes room for seventeen otherwise.
		if (this.#pieces.length === 0) this.#pieces = [text];
		else this.#pieces.push(text);
		if (this.#pieces.length === JOINED_PIECES || this.#waiting > JOINED_LENGTH) this.#join();
	}

	/** The whole text, divided arbitrarily. */
	parts(): readonly string[] {
		this.#join();
		return this.#joined;
	}

	/** The first characters of the text. */
	head(length: number): string {
		let head = "";
		for (const part of this.parts()) {
			if (head.length >= length) break;
			head += part;
		}
		return head.slice(0, length);
	}

	toString(): string {
		return this.parts().join("");
	}

	/** Returns the text and starts again with an empty one. */
	take(): string {
		const text = this.toString();
		this.#joined = NONE;
		this.#length = 0;
		return text;
	}

	#join(): void {
		if (this.#pieces.length === 0) return;
		const text = this.#pieces.length === 1 ? this.#pieces[0]! : this.#pieces.join("");
		if (this.#joined.length === 0) this.#joined = [text];
		else this.#joined.push(text);
		this.#pieces = NONE;
		this.#waiting = 0;
	}
}
