import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { describe, expect, it } from "vitest";
import { WordTokens } from "./word-tokens.ts";

const PLAIN = { disallowedSpecial: new Set<string>() };
const words = new WordTokens(O200K_TOKEN_SPLIT_REGEX, (word) => countTokens(word, PLAIN));

describe("tokens counted word by word", () => {
	it("are as many as the tokenizer counts, whatever the text", () => {
		const piece = fc.oneof(
			fc.string({ unit: "binary" }),
			fc.string({ unit: "grapheme" }),
			fc.constantFrom(
				"word",
				" other",
				"camelCase",
				"HTMLElement",
				"don't",
				"I'LL ",
				"  \n\n x",
				"\t\t",
				"12345",
				"café",
				"naïve ",
				"<|endoftext|>",
				"ﬃ",
				"́",
			),
		);
		const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
		const isEqual = (each: string) => words.count(each) === countTokens(each, PLAIN);
		fc.assert(fc.property(text, isEqual));
	});

	it("are as many where most words are plain", () => {
		const word = fc.stringMatching(/^[ ,.'~_$\t\n\r\0\x7f]{0,2}[A-Z]{0,2}[a-z]{0,8}[0-9]{0,4}(\u0301|[éÉ'’١\xa0 ])?$/);
		const isEqual = (all: string[]) => words.count(all.join("")) === countTokens(all.join(""), PLAIN);
		fc.assert(fc.property(fc.array(word, { maxLength: 12 }), isEqual), { numRuns: 5_000 });
	});

	it("are the same the second time, also of words too long to be kept", () => {
		const text = `${"pneumonoultramicroscopicsilicovolcanoconiosis".repeat(3)} and a short word`;
		expect(words.count(text)).toBe(countTokens(text, PLAIN));
		expect(words.count(text)).toBe(countTokens(text, PLAIN));
	});
});
