import type { Sliced } from "../time/slices.ts";

/** Tokenizers are quadratic on long runs of one character; in pieces of this length the work is linear. */
const PIECE_LENGTH = 512;
/** More is not counted: so much takes a fiftieth of a second, or a whole one where it is noise, in slices. */
const COUNTED_LENGTH = 1 << 18;
/** So many characters are counted within a few milliseconds, or thirty where they are noise. */
export const COUNTED_AT_ONCE = 1 << 13;
/** Text is text: nothing a user or a model writes has a special meaning here. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * Counts tokens as OpenAI's newer models do. For models of other makers it is an estimate, which is all that can be
 * had without their tokenizers.
 */
export interface TokenEstimator {
	count(text: string): number;
	/** The lengths in UTF-8 bytes of the tokens of a text of at most one piece, word by word. */
	words(piece: string): Iterable<number[]>;
}

let loading: Promise<TokenEstimator> | undefined;

/** The estimator. Its tables take some 60 MB and 150 ms, so they are loaded when first needed. */
export function loadTokenEstimator(): Promise<TokenEstimator> {
	loading ??= load();
	return loading;
}

async function load(): Promise<TokenEstimator> {
	const [{ countTokens, encodeGenerator }, { default: table }] = await Promise.all([
		import("gpt-tokenizer/encoding/o200k_base"),
		import("gpt-tokenizer/bpeRanks/o200k_base"),
	]);
	const bytesOf = (token: number): number => {
		const entry = table[token] as string | number[];
		return typeof entry === "string" ? Buffer.byteLength(entry) : entry.length;
	};
	return {
		count(text) {
			let tokens = 0;
			for (let start = 0; start < text.length; ) {
				const end = pieceEnd(text, start, PIECE_LENGTH);
				tokens += countTokens(text.slice(start, end), PLAIN);
				start = end;
			}
			return tokens;
		},
		*words(piece) {
			for (const tokens of encodeGenerator(piece, PLAIN)) yield tokens.map(bytesOf);
		},
	};
}

/** Tokens of many texts. Where they are long in all, pieces from everywhere in them stand for the whole. */
export function* countTexts(texts: readonly string[], estimator: TokenEstimator): Sliced<number> {
	const length = sum(texts.map((text) => text.length));
	const share = Math.min(1, COUNTED_LENGTH / length);
	let tokens = 0;
	let seen = 0;
	let counted = 0;
	for (const text of texts) {
		for (let start = 0; start < text.length; ) {
			const end = pieceEnd(text, start, PIECE_LENGTH);
			seen += end - start;
			if (counted < seen * share) {
				tokens += estimator.count(text.slice(start, end));
				counted += end - start;
				yield;
			}
			start = end;
		}
		yield;
	}
	return counted === 0 ? 0 : Math.round((tokens / counted) * length);
}

/**
 * Lets the first `maxTokens` tokens of a text pass and cuts it at the border of a token, whatever the deltas. Far from
 * the limit text passes uncounted and at once; close to it a word is held back until its tokens are certain. Nothing is
 * left to be counted later that would then take long.
 */
export class TokenLimiter {
	readonly #estimator: TokenEstimator;
	readonly #maxTokens: number;
	/** Tokens of the text before `#open`. */
	#tokens = 0;
	/** Text whose tokens are not counted yet. */
	#open = "";
	/** How much of `#open` has passed. */
	#passed = 0;
	/** How much of `#open` belongs to the current piece. */
	#room = PIECE_LENGTH;
	#reached = false;

	constructor(estimator: TokenEstimator, maxTokens: number) {
		this.#estimator = estimator;
		this.#maxTokens = maxTokens;
	}

	/** There was text beyond the limit. Nothing passes any more. */
	get reached(): boolean {
		return this.#reached;
	}

	/** The text that is certain to lie within the limit. */
	push(delta: string): string {
		if (this.#reached) return "";
		this.#open += delta;
		// A token has at least one byte, and a UTF-16 unit at most three.
		const isFar = this.#tokens + 3 * this.#open.length <= this.#maxTokens;
		return isFar && this.#open.length <= COUNTED_AT_ONCE ? this.#pass(this.#open.length) : this.#settle(false);
	}

	/** The text held back, when no more comes. */
	end(): string {
		return this.#reached ? "" : this.#settle(true);
	}

	#settle(final: boolean): string {
		let settled = 0;
		let isWhole = true;
		while (isWhole && settled < this.#open.length) {
			isWhole = final || this.#open.length - settled > this.#room;
			const end = pieceEnd(this.#open, settled, this.#room);
			settled = this.#count(settled, end, isWhole);
			if (this.#reached) return this.#pass(settled);
		}
		const text = this.#pass(settled + lengthOfBytes(this.#open, settled, this.#maxTokens - this.#tokens));
		this.#open = this.#open.slice(settled);
		this.#passed -= settled;
		return text;
	}

	/** Counts the words of one piece and returns where the counted text ends. */
	#count(start: number, end: number, isWhole: boolean): number {
		const words = [...this.#estimator.words(this.#open.slice(start, end))];
		// What follows may lengthen the last word ("1" + "2") or join the last two ("don" "'" + "t").
		const certain = isWhole ? words.length : words.length - 2;
		let position = start;
		for (let index = 0; index < certain; index++) {
			const word = words[index] as number[];
			const fitting = word.slice(0, this.#maxTokens - this.#tokens);
			position += lengthOfBytes(this.#open, position, sum(fitting));
			this.#tokens += fitting.length;
			if (fitting.length < word.length) {
				this.#reached = true;
				return position;
			}
		}
		this.#room = isWhole ? PIECE_LENGTH : this.#room - (position - start);
		return position;
	}

	#pass(end: number): string {
		const text = this.#open.slice(this.#passed, end);
		this.#passed = Math.max(this.#passed, end);
		return text;
	}
}

/** Where a piece that begins at `start` ends: never inside a surrogate pair. */
function pieceEnd(text: string, start: number, length: number): number {
	const end = start + length;
	if (end >= text.length) return text.length;
	return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** How many UTF-16 units from `start` on fit into so many bytes, in whole characters. */
function lengthOfBytes(text: string, start: number, bytes: number): number {
	let position = start;
	for (let left = bytes; position < text.length; ) {
		const point = text.codePointAt(position) as number;
		left -= utf8Length(point);
		if (left < 0) break;
		position += point > 0xffff ? 2 : 1;
	}
	return position - start;
}

function utf8Length(point: number): number {
	if (point < 0x80) return 1;
	if (point < 0x800) return 2;
	return point > 0xffff ? 4 : 3;
}

const isHighSurrogate = (code: number) => (code & 0xfc00) === 0xd800;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
