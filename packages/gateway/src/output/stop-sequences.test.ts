import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StopCutter } from "./stop-sequences.ts";

interface Cut {
	text: string;
	stoppedBy: string | undefined;
}

function cutInPieces(pieces: readonly string[], stops: readonly string[]): Cut {
	const cutter = new StopCutter(stops);
	const passed = pieces.map((piece) => cutter.push(piece)).join("");
	return { text: passed + cutter.end(), stoppedBy: cutter.stoppedBy };
}

/** The rule, without any streaming: the first end of a stop sequence decides, the longest one that ends there cuts. */
function cutWhole(text: string, stops: readonly string[]): Cut {
	for (let end = 1; end <= text.length; end++) {
		const ending = stops.filter((stop) => stop !== "" && text.slice(0, end).endsWith(stop));
		const longest = ending.sort((a, b) => b.length - a.length)[0];
		if (longest !== undefined) return { text: text.slice(0, end - longest.length), stoppedBy: longest };
	}
	return { text, stoppedBy: undefined };
}

/** Few letters, so that partial and overlapping matches are the rule. */
const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength });
const inPieces = (text: fc.Arbitrary<string>) => fc.array(text, { maxLength: 8 });

describe("StopCutter", () => {
	it("equals cutting the whole text, for any text, stop sequences and deltas", () => {
		fc.assert(
			fc.property(inPieces(letters(6)), fc.array(letters(5), { maxLength: 4 }), (pieces, stops) => {
				expect(cutInPieces(pieces, stops)).toEqual(cutWhole(pieces.join(""), stops));
			}),
			{ numRuns: 2000 },
		);
	});

	it("equals cutting the whole text with every kind of character in it", () => {
		const any = fc.string({ unit: "binary", maxLength: 12 });
		fc.assert(
			fc.property(inPieces(any), fc.array(any, { maxLength: 2 }), (pieces, stops) => {
				expect(cutInPieces(pieces, stops)).toEqual(cutWhole(pieces.join(""), stops));
			}),
		);
	});

	it("holds back nothing that cannot begin a stop sequence, and no more than can", () => {
		fc.assert(
			fc.property(inPieces(letters(6)), letters(5), (pieces, stop) => {
				const cutter = new StopCutter([stop]);
				let seen = "";
				let passed = "";
				for (const piece of pieces) {
					seen += piece;
					passed += cutter.push(piece);
					if (cutter.stoppedBy !== undefined) return;
					const held = seen.slice(passed.length);
					expect(stop.startsWith(held) && (held === "" || held.length < stop.length)).toBe(true);
				}
			}),
		);
	});

	it.each([
		["none given", ["Hello"], [], "Hello", undefined],
		["an empty one is no stop sequence", ["Hello"], [""], "Hello", undefined],
		["inside one delta", ["one STOP two"], ["STOP"], "one ", "STOP"],
		["over three deltas", ["one S", "TO", "P two"], ["STOP"], "one ", "STOP"],
		["a false start", ["one ST", "ART"], ["STOP"], "one START", undefined],
		["a false start that holds a true one", ["aa", "ab"], ["aab"], "a", "aab"],
		["the first that is complete", ["abcd"], ["abcd", "c"], "ab", "c"],
		["two that end together", ["abc"], ["c", "bc"], "a", "bc"],
		["at the very beginning", ["\n\nHuman:"], ["\n\nHuman:"], "", "\n\nHuman:"],
	])("%s", (_name, pieces, stops, text, stoppedBy) => {
		expect(cutInPieces(pieces, stops)).toEqual({ text, stoppedBy });
	});

	it("does not find a stop sequence that begins in one block and ends in the next", () => {
		const cutter = new StopCutter(["ab"]);
		expect([cutter.push("xa"), cutter.end(), cutter.push("b"), cutter.end()]).toEqual(["x", "a", "b", ""]);
	});

	it("says nothing after the stop", () => {
		const cutter = new StopCutter(["|"]);
		expect([cutter.push("a|b"), cutter.push("c"), cutter.end()]).toEqual(["a", "", ""]);
	});
});
