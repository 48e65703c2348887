const LONGEST_KEPT = 12;
/** A power of two. */
const PLACES = 1 << 14;

/**
 * Counts the tokens of a text word by word. A tokenizer splits a text into words first, and most words occur again and
 * again, so their tokens are counted once. Words that share a place take turns in it. A known word is recognised where it
 * stands, because cutting it out would cost more than everything else.
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
		for (let start = 0; start < text.length; ) {
			let end = endOfPlainWord(text, start);
			if (end === undefined) {
				splitter.lastIndex = start;
				// `test` moves `lastIndex` and, unlike `exec`, makes no object.
				if (!splitter.test(text)) break;
				end = splitter.lastIndex;
			}
			tokens += this.#ofWord(text, start, end);
			start = end;
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

const SPACE = 0x20;
const APOSTROPHE = 0x27;
const LAST_ASCII = 0x7f;

/**
 * Where a word ends that consists of a space, if any, and of ASCII letters of which the last one is small: nearly all
 * words of an English text. OpenAI's splitters end it there, unless more than ASCII or an apostrophe ("don't") follows.
 * Undefined: the splitter has to look.
 */
function endOfPlainWord(text: string, start: number): number | undefined {
	let end = text.charCodeAt(start) === SPACE ? start + 1 : start;
	while (isCapital(text.charCodeAt(end))) end++;
	const small = end;
	while (isSmall(text.charCodeAt(end))) end++;
	if (end === small) return undefined;
	const next = text.charCodeAt(end);
	return next === APOSTROPHE || next > LAST_ASCII ? undefined : end;
}

const isCapital = (code: number) => code >= 0x41 && code <= 0x5a;
const isSmall = (code: number) => code >= 0x61 && code <= 0x7a;

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
