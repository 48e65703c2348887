/** What is to be written to a client next: in one piece, or, where that would be long work, piece by piece. */
export type StreamText = string | Generator<string, void, undefined>;

/** Text that is put together from short and from long parts. */
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

	/** Hands it over and starts anew. */
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
