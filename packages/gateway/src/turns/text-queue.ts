import type { StreamText } from "../text/stream-text.ts";

const LARGE_PIECE = 64 * 1024;

/** Texts that wait to be written, some of them long: taken out piece by piece, in their order. */
export class TextQueue {
	readonly #texts: StreamText[] = [];

	add(text: StreamText): void {
		this.#texts.push(text);
	}

	/** Undefined when nothing is left. Short pieces come together. */
	next(): string | undefined {
		let text = "";
		for (let first = this.#texts[0]; first !== undefined && text.length < LARGE_PIECE; first = this.#texts[0]) {
			const piece = typeof first === "string" ? first : first.next().value;
			if (piece === undefined || typeof first === "string") this.#texts.shift();
			text += piece ?? "";
		}
		return text === "" ? undefined : text;
	}
}
