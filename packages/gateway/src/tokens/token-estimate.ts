import type { Sliced } from "../time/slices.ts";
import type { Soon } from "../time/soon.ts";
import { WordTokens } from "./word-tokens.ts";

/** Tokenizers take quadratic time for long runs of one character. In pieces of this length the time is linear. */
const PIECE_LENGTH = 512;
/** At most this much is counted, in slices. That takes about 20 ms, or a second for random characters. */
const COUNTED_LENGTH = 1 << 18;
/** This many characters are counted in a few milliseconds, or in 30 ms for random ones. */
export const COUNTED_AT_ONCE = 1 << 13;
/** Texts that are this short in total are counted without pauses in between, even random ones. */
const SHORT_LENGTH = 1 << 11;
/** Everything is plain text: nothing that a user or a model writes counts as a control token. */
const PLAIN = { disallowedSpecial: new Set<string>() };

/**
 * Counts tokens as OpenAI's newer models do. For models of other vendors this is only an estimate,
 * because their tokenizers are not available here.
 */
export interface TokenEstimator {
	count(text: string): number;
	/** The lengths of the tokens in UTF-8 bytes, word by word, for a text of at most one piece. */
	words(piece: string): Iterable<number[]>;
}

let loaded: Soon<TokenEstimator> | undefined;

/** The estimator. Its tables take about 60 MB and 150 ms to load, so they are loaded when first needed. */
export function loadTokenEstimator(): Soon<TokenEstimator> {
	loaded ??= load().then((estimator) => {
		loaded = estimator;
		return estimator;
	});
	return loaded;
}

async function load(): Promise<TokenEstimator> {
	const [{ countTokens, encodeGenerator }, { default: table }, { O200K_TOKEN_SPLIT_REGEX }] = await Promise.all([
		import("gpt-tokenizer/encoding/o200k_base"),
		import("gpt-tokenizer/bpeRanks/o200k_base"),
		import("gpt-tokenizer/encodingParams/constants"),
	]);
	const words = new WordTokens(O200K_TOKEN_SPLIT_REGEX, (word) => countTokens(word, PLAIN));
	const bytesOf = (token: number): number => {
		const entry = table[token] as string | number[];
		return typeof entry === "string" ? Buffer.byteLength(entry) : entry.length;
	};
	return {
		count(text) {
			let tokens = 0;
			for (let start = 0; start < text.length; ) {
				const end = pieceEnd(text, start, PIECE_LENGTH);
				tokens += words.count(text.slice(start, end));
				start = end;
			}
			return tokens;
		},
		*words(piece) {
			for (const tokens of encodeGenerator(piece, PLAIN)) yield tokens.map(bytesOf);
		},
	};
}

/** The tokens of texts that are short in total; undefined if they are not. The same figure as `countTexts` has. */
export function countShortTexts(texts: readonly string[], estimator: TokenEstimator): number | undefined {
	let length = 0;
	for (const text of texts) length += text.length;
	if (length > SHORT_LENGTH) return undefined;
	let tokens = 0;
	for (const text of texts) tokens += estimator.count(text);
	return tokens;
}

/** The tokens of many texts. If they are long in total, only samples from all over them are counted. */
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
 * Lets the first `maxTokens` tokens of a text pass and cuts it at a token boundary, however it is split into deltas.
 * Far from the limit text passes at once without being counted; close to it a word is held back until its tokens are
 * certain. Uncounted text never becomes so long that counting it later would block the event loop.
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

	/** Whether there was text beyond the limit. Nothing passes after that. */
	get reached(): boolean {
		return this.#reached;
	}

	/** Adds text and returns what is certain to be within the limit. */
	push(delta: string): string {
		if (this.#reached) return "";
		this.#open += delta;
		// A token has at least one byte, and a UTF-16 unit at most three.
		const isFar = this.#tokens + 3 * this.#open.length <= this.#maxTokens;
		return isFar && this.#open.length <= COUNTED_AT_ONCE ? this.#pass(this.#open.length) : this.#settle(false);
	}

	/** The text that was held back, to be called at the end of the text. */
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
		// The next delta may lengthen the last word ("1" + "2") or join the last two ("don" "'" + "t").
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

/** Where a piece that begins at `start` ends. This is never inside a surrogate pair. */
function pieceEnd(text: string, start: number, length: number): number {
	const end = start + length;
	if (end >= text.length) return text.length;
	return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

/** How many UTF-16 units from `start` on fit into `bytes`, in whole characters. */
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
