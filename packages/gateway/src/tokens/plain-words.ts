const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const APOSTROPHE = 0x27;
const LETTER_BITS = 0x1f;

/** What a byte may be in a plain word. */
const Kind = { other: 0, before: 1, upper: 2, lower: 3, digit: 4 } as const;
const KINDS = Uint8Array.from({ length: 256 }, (_, byte) => {
	if (byte >= 0x61 && byte <= 0x7a) return Kind.lower;
	if (byte >= 0x41 && byte <= 0x5a) return Kind.upper;
	if (byte >= 0x30 && byte <= 0x39) return Kind.digit;
	return byte >= 0x80 || byte === LINE_FEED || byte === CARRIAGE_RETURN ? Kind.other : Kind.before;
});

/** Digits are counted by so many. */
const MOST_DIGITS = 3;
/** Longer texts are not for this. */
const LONGEST_TEXT = 1 << 10;
/** Longer words are counted, and not kept. */
const LONGEST_WORD = 15;
/** A power of two. */
const PLACES = 1 << 13;
/** Of a kept word: its length, and its letters. */
const PLACE_BYTES = LONGEST_WORD + 1;

/**
 * Counts words that are what most words are: a space or another sign or none, a letter of any case, and small letters,
 * all of them ASCII; and digits. They are recognised and found again byte by byte, without an expression and without a string for
 * each, which takes a third of the time.
 */
export class PlainWords {
	readonly #countWord: (word: string) => number;
	readonly #bytes = Buffer.alloc(3 * LONGEST_TEXT);
	/** Each word at the place that its letters say, unless another one has pushed it out. */
	readonly #words = new Uint8Array(PLACES * PLACE_BYTES);
	readonly #tokens = new Uint16Array(PLACES);
	#text = "";
	#end = 0;

	constructor(countWord: (word: string) => number) {
		this.#countWord = countWord;
	}

	/** Takes a text to read words from. False: it is too long, or not all of it is ASCII. */
	take(text: string): boolean {
		if (text.length > LONGEST_TEXT) return false;
		this.#text = text;
		// Everything that is not ASCII is longer in UTF-8.
		if (this.#bytes.write(text, 0, "utf8") !== text.length) return false;
		this.#bytes[text.length] = 0;
		return true;
	}

	/** Where the word ends that was counted last. */
	get end(): number {
		return this.#end;
	}

	/** The tokens of the word at this place; 0 if it may be anything else, such as a contraction. */
	count(start: number): number {
		const bytes = this.#bytes;
		let at = start;
		let sum = bytes[at] as number;
		if (KINDS[sum] === Kind.digit) return this.#digits(start);
		if (KINDS[sum] === Kind.before) at++;
		if (KINDS[bytes[at] as number] === Kind.upper) sum = ((sum << 5) ^ (bytes[at++] as number)) | 0;
		const firstLower = at;
		for (; KINDS[bytes[at] as number] === Kind.lower; at++) {
			sum = Math.imul(sum, 31) + ((bytes[at] as number) & LETTER_BITS);
		}
		// What follows letters would be part of the word only if it were a contraction.
		if (at === firstLower || bytes[at] === APOSTROPHE) return 0;
		return this.#known(start, at, sum);
	}

	#digits(start: number): number {
		const bytes = this.#bytes;
		let at = start;
		let sum = 0;
		for (; at < start + MOST_DIGITS && KINDS[bytes[at] as number] === Kind.digit; at++) {
			sum = sum * 10 + (bytes[at] as number);
		}
		return this.#known(start, at, sum);
	}

	#known(start: number, end: number, sum: number): number {
		const words = this.#words;
		const length = end - start;
		const place = (sum ^ (sum >>> 13)) & (PLACES - 1);
		const from = place * PLACE_BYTES;
		this.#end = end;
		let same = words[from] === length ? 0 : -1;
		while (same >= 0 && same < length && words[from + 1 + same] === this.#bytes[start + same]) same++;
		if (same === length) return this.#tokens[place] as number;
		const tokens = this.#countWord(this.#text.slice(start, end));
		if (length > LONGEST_WORD) return tokens;
		words[from] = length;
		words.set(this.#bytes.subarray(start, end), from + 1);
		this.#tokens[place] = tokens;
		return tokens;
	}
}
