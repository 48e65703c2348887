import { PlainWords } from "./plain-words.ts";

/** V8 copies slices of up to this length. A longer one would hold the whole text that it was cut from. */
const LONGEST_KEPT = 12;
const MOST_KEPT = 1 << 14;

/**
 * Counts the tokens of a text word by word. A tokenizer splits a text into words first, and most words occur again and
 * again, so their tokens are counted once. The tokenizer's own counting makes several objects for each word.
 */
export class WordTokens {
	readonly #splitter: RegExp;
	readonly #countWord: (word: string) => number;
	readonly #kept = new Map<string, number>();
	readonly #plain: PlainWords;

	/** `splitter` matches one word after another, without gaps. */
	constructor(splitter: RegExp, countWord: (word: string) => number) {
		this.#splitter = new RegExp(splitter.source, splitter.flags);
		this.#countWord = countWord;
		this.#plain = new PlainWords(countWord);
	}

	count(text: string): number {
		const plain = this.#plain.take(text) ? this.#plain : undefined;
		let tokens = 0;
		for (let start = 0; start < text.length; ) {
			const ofPlain = plain ? plain.count(start) : 0;
			const end = plain && ofPlain > 0 ? plain.end : this.#wordEnd(text, start);
			tokens += ofPlain || this.#ofWord(text.slice(start, end));
			start = end;
		}
		return tokens;
	}

	#wordEnd(text: string, start: number): number {
		const splitter = this.#splitter;
		splitter.lastIndex = start;
		// `test` moves `lastIndex` and, unlike `exec`, makes no object.
		return splitter.test(text) ? splitter.lastIndex : text.length;
	}

	#ofWord(word: string): number {
		const known = this.#kept.get(word);
		if (known !== undefined) return known;
		const tokens = this.#countWord(word);
		if (word.length > LONGEST_KEPT) return tokens;
		if (this.#kept.size >= MOST_KEPT) this.#kept.clear();
		this.#kept.set(word, tokens);
		return tokens;
	}
}
