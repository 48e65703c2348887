const LONGEST_KEPT = 12;
/** A power of two. */
const PLACES = 1 << 14;

/**
 * Counts the tokens of a text word by word. A tokenizer splits a text into words first, and most words occur again and
 * again, so their tokens are counted once. Words that share a place take turns in it. A known word is recognised where it
 * stands, without being cut out of its text.
 */
export class WordTokens {
	readonly #splitter: RegExp;
	readonly #countWord: (word: string) => number;
	readonly #words: (string | undefined)[] = new Array(PLACES).fill(undefined);
	readonly #tokens = new Uint8Array(PLACES);

	/** `splitter` matches one word after another, without gaps. */
	constructor(splitter: RegExp, countWord: (word: string) => number) {
		this.#splitter = new RegExp(splitter.source, splitter.flags);
		this.#countWord = countWord;
	}

	count(text: string): number {
		const splitter = this.#splitter;
		let tokens = 0;
		let start = 0;
		splitter.lastIndex = 0;
		// `test` moves `lastIndex` and, unlike `exec`, makes no object.
		while (splitter.test(text)) {
			tokens += this.#ofWord(text, start, splitter.lastIndex);
			start = splitter.lastIndex;
		}
		return tokens;
	}

	#ofWord(text: string, start: number, end: number): number {
		if (end - start > LONGEST_KEPT) return this.#countWord(text.slice(start, end));
		const place = placeOf(text, start, end);
		if (isAt(text, start, end, this.#words[place])) return this.#tokens[place]!;
		const word = text.slice(start, end);
		const tokens = this.#countWord(word);
		this.#words[place] = word;
		this.#tokens[place] = tokens;
		return tokens;
	}
}

/** The same for the same word, and spread evenly. */
function placeOf(text: string, start: number, end: number): number {
	let hash = 0;
	for (let index = start; index < end; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
	return (hash ^ (hash >>> 15)) & (PLACES - 1);
}

function isAt(text: string, start: number, end: number, word: string | undefined): boolean {
	if (word?.length !== end - start) return false;
	for (let index = start; index < end; index++) {
		if (text.charCodeAt(index) !== word.charCodeAt(index - start)) return false;
	}
	return true;
}
