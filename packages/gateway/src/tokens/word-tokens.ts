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

	/**
	 * `splitter` matches one word after another, without gaps. Unless an apostrophe or something beyond ASCII follows, it
	 * has to take for one word: small letters, with capitals and one character that is no letter, digit or line end before
	 * them; and digits, up to three.
	 */
	constructor(splitter: RegExp, countWord: (word: string) => number) {
		this.#splitter = new RegExp(splitter.source, splitter.flags);
		this.#countWord = countWord;
	}

	count(text: string): number {
		const splitter = this.#splitter;
		let tokens = 0;
		for (let start = 0; start < text.length; ) {
			let end = plainEnd(text, start);
			if (end === start) {
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

const APOSTROPHE = 0x27;
const FIRST_BEYOND_ASCII = 0x80;
const MOST_DIGITS = 3;

/** `other`: spaces, punctuation and the like. */
const Kind = { small: 0, capital: 1, digit: 2, lineEnd: 3, other: 4 } as const;
type Kind = (typeof Kind)[keyof typeof Kind];

function kindOf(character: string): Kind {
	if (/[a-z]/.test(character)) return Kind.small;
	if (/[A-Z]/.test(character)) return Kind.capital;
	if (/[0-9]/.test(character)) return Kind.digit;
	return /[\r\n]/.test(character) ? Kind.lineEnd : Kind.other;
}

/** By code of the character. What is beyond ASCII has no kind. */
const KINDS: readonly (Kind | undefined)[] = Array.from({ length: FIRST_BEYOND_ASCII }, (_, code) =>
	kindOf(String.fromCharCode(code)),
);

/** The end of the characters of one kind. */
function endOf(kind: Kind, text: string, start: number, longest = text.length): number {
	const last = Math.min(text.length, start + longest);
	let end = start;
	while (end < last && KINDS[text.charCodeAt(end)] === kind) end++;
	return end;
}

/** Where a plain word or number ends; `start` if only the splitter can tell. */
function plainEnd(text: string, start: number): number {
	const end = plainLettersEnd(text, start) ?? endOf(Kind.digit, text, start, MOST_DIGITS);
	if (end === text.length) return end;
	const next = text.charCodeAt(end);
	return next === APOSTROPHE || next >= FIRST_BEYOND_ASCII ? start : end;
}

/** Of small letters, with capitals and one other character before them. */
function plainLettersEnd(text: string, start: number): number | undefined {
	const letters = KINDS[text.charCodeAt(start)] === Kind.other ? start + 1 : start;
	const capitalsEnd = endOf(Kind.capital, text, letters);
	const end = endOf(Kind.small, text, capitalsEnd);
	return end > capitalsEnd ? end : undefined;
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
