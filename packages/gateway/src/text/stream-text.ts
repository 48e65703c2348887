/** Text to write to a client: one string or, if making it takes long, a generator of pieces. */
export type StreamText = string | Generator<string, void, undefined>;

/** Builds a text from short and long parts. */
export class StreamTextBuilder {
	#parts: StreamText[] = [];
	#text = "";

	add(text: string): void {
		this.#text += text;
	}

	addLong(pieces: Generator<string, void, undefined>): void {
		this.#parts.push(this.#text, pieces);
		this.#text = "";
	}

	/** Returns the text and starts again with an empty one. */
	take(): StreamText {
		const text = this.#text;
		const parts = this.#parts;
		this.#text = "";
		if (parts.length === 0) return text;
		this.#parts = [];
		return inOrder([...parts, text]);
	}
}

function* inOrder(parts: readonly StreamText[]): Generator<string, void, undefined> {
	for (const part of parts) {
		if (typeof part !== "string") yield* part;
		else if (part !== "") yield part;
	}
}
