import fc from "fast-check";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, it } from "vitest";
import { COUNTED_AT_ONCE, loadTokenEstimator, type TokenEstimator, TokenLimiter } from "./token-estimate.ts";

let estimator: TokenEstimator;

beforeAll(async () => {
	estimator = await loadTokenEstimator();
});

/** Pieces in which a delta can end in the middle of a word, a contraction, a number, white space or a character. */
const telling = fc.constantFrom(
	...["a", "A", "Ab", "s", "'", "'t", "re", "ll", "1", "23", " ", "  ", "\n", "\r\n", "\t", "/", "!", "(", "-", "_"],
	...["hello", " world", "HTTPServer", " don", "é", "日本", "語", "😀", "🫠", "👩‍👧", "\u0301", "<|endoftext|>"],
);
const text = (maxLength: number) => fc.array(telling, { maxLength }).map((pieces) => pieces.join(""));

function limit(deltas: readonly string[], maxTokens: number): { text: string; reached: boolean } {
	const limiter = new TokenLimiter(estimator, maxTokens);
	const passed = deltas.map((delta) => limiter.push(delta)).join("");
	return { text: passed + limiter.end(), reached: limiter.reached };
}

/** The rule without streaming, for texts of one piece: the first tokens, in whole characters. */
function limitWhole(all: string, maxTokens: number): { text: string; reached: boolean } {
	const tokens = [...estimator.words(all)].flat();
	const bytes = tokens.slice(0, maxTokens).reduce((total, length) => total + length, 0);
	const kept = new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(all).subarray(0, bytes), {
		stream: true,
	});
	return { text: kept, reached: tokens.length > maxTokens };
}

describe("count", () => {
	it("is the tokenizer's own count for a text of one piece", () => {
		fc.assert(
			fc.property(text(60), (all) => {
				fc.pre(all.length <= 512);
				expect(estimator.count(all)).toBe(encode(all, { disallowedSpecial: new Set() }).length);
			}),
		);
	});

	it("is close to it for a long prose", () => {
		const prose = "The quick brown fox jumps over the lazy dog, and nobody is surprised. ".repeat(500);
		const exact = encode(prose).length;
		expect(estimator.count(prose)).toBeGreaterThanOrEqual(exact);
		expect(estimator.count(prose)).toBeLessThan(exact * 1.02);
	});

	it("takes control tokens for text", () => {
		expect(estimator.count("<|endoftext|>")).toBeGreaterThan(1);
	});

	it("never cuts a surrogate pair between two pieces", () => {
		const emoji = `${"a".repeat(511)}😀`;
		expect(estimator.count(emoji)).toBe(estimator.count("a".repeat(511)) + estimator.count("😀"));
	});

	it("takes 2 MB of one character in pieces: the work grows with the length and not with its square", () => {
		// Uncut, a tenth of this keeps the tokenizer busy for half a minute.
		expect(estimator.count("a".repeat(2_000_000))).toBeGreaterThan(100_000);
	});
});

describe("TokenLimiter", () => {
	it("keeps exactly the first tokens, however the text is cut into deltas", () => {
		fc.assert(
			fc.property(fc.array(text(6), { maxLength: 12 }), fc.nat({ max: 40 }), (deltas, maxTokens) => {
				const all = deltas.join("");
				fc.pre(all.length <= 512);
				expect(limit(deltas, maxTokens)).toEqual(limitWhole(all, maxTokens));
			}),
			{ numRuns: 3000 },
		);
	});

	it("gives the same for every delta length, over several pieces", () => {
		fc.assert(
			fc.property(text(600), fc.nat({ max: 900 }), fc.integer({ min: 1, max: 700 }), (all, maxTokens, length) => {
				const characters = [...all];
				const deltas: string[] = [];
				for (let start = 0; start < characters.length; start += length)
					deltas.push(characters.slice(start, start + length).join(""));
				const whole = limit([all], maxTokens);
				expect(limit(deltas, maxTokens)).toEqual(whole);
				expect(whole.reached).toBe(estimator.count(all) > maxTokens);
				expect(all.startsWith(whole.text)).toBe(true);
				if (!whole.reached) expect(whole.text).toBe(all);
			}),
			{ numRuns: 60 },
		);
	});

	it("lets text pass at once while the limit is far away", () => {
		const limiter = new TokenLimiter(estimator, 1000);
		expect(["Hel", "lo", " wor", "ld"].map((delta) => limiter.push(delta))).toEqual(["Hel", "lo", " wor", "ld"]);
	});

	it("never leaves much to be counted at once", () => {
		let counted = 0;
		const counting: TokenEstimator = {
			...estimator,
			words(piece) {
				counted += piece.length;
				return estimator.words(piece);
			},
		};
		const limiter = new TokenLimiter(counting, 100_000);
		const most = Math.max(
			...Array.from({ length: 500 }, () => {
				counted = 0;
				limiter.push("some words ".repeat(20));
				return counted;
			}),
		);
		expect(most).toBeGreaterThan(0);
		expect(most).toBeLessThan(2 * COUNTED_AT_ONCE);
	});

	it("is not reached by a text of exactly that many tokens", () => {
		expect(limit(["one two", " three"], 3)).toEqual({ text: "one two three", reached: false });
		expect(limit(["one two", " three four"], 3)).toEqual({ text: "one two three", reached: true });
	});

	it("waits where a word may still join the one before it", () => {
		expect(estimator.count(" don't")).toBe(1);
		expect(limit([" don'", "t know"], 1)).toEqual({ text: " don't", reached: true });
	});

	it("keeps nothing of a character whose tokens do not all fit", () => {
		expect(estimator.count("🫠")).toBe(3);
		expect(limit(["🫠"], 2)).toEqual({ text: "", reached: true });
	});

	it("says nothing after the limit", () => {
		const limiter = new TokenLimiter(estimator, 0);
		expect([limiter.push("some words and more"), limiter.push("x"), limiter.end()]).toEqual(["", "", ""]);
		expect(limiter.reached).toBe(true);
	});
});
