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

	/** `splitter` matches one word after another, without gaps. */
	constructor(splitter: RegExp, countWord: (word: string) => number) {
		this.#splitter = new RegExp(splitter.source, splitter.flags);
		this.#countWord = countWord;
	}

	count(text: string): number {
		let tokens = 0;
		for (let start = 0; start < text.length; ) {
			const end = plainWordEnd(text, start) || this.#wordEnd(text, start);
			tokens += this.#ofWord(text.slice(start, end));
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

const SPACE = 0x20;
const APOSTROPHE = 0x27;
const isUpper = (code: number) => code >= 0x41 && code <= 0x5a;
const isLower = (code: number) => code >= 0x61 && code <= 0x7a;

/**
 * Where a word ends that begins at `start` and is what most words are: a space, a letter of any case and small letters,
 * all of them ASCII. 0 where it may be anything else, such as a contraction. Reading the letters takes a third of the
 * time of the expression, which says the same of such a word.
 */
function plainWordEnd(text: string, start: number): number {
	let at = start;
	if (text.charCodeAt(at) === SPACE) at++;
	if (isUpper(text.charCodeAt(at))) at++;
	const firstLower = at;
	while (isLower(text.charCodeAt(at))) at++;
	if (at === firstLower) return 0;
	// Behind the text this is NaN, which is no ASCII either.
	const next = text.charCodeAt(at);
	return at === text.length || (next < 0x80 && next !== APOSTROPHE) ? at : 0;
}
