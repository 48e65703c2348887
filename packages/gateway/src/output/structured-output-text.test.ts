import { describe, expect, it } from "vitest";
import { jsonCandidates, parseJson } from "./structured-output-text.ts";

/** The first candidate that is JSON. */
const found = (...blocks: string[]) => jsonCandidates(blocks).find((text) => parseJson(text) !== undefined);

describe("JSON in what a model says", () => {
	it.each<[string, string[], string | undefined]>([
		["alone", [' {"a":1}\n'], '{"a":1}'],
		["in several blocks", ['{"a"', ":1}"], '{"a":1}'],
		["in the last block", ["Let me see.", '{"a":1}'], '{"a":1}'],
		["in a fence", ['```json\n{"a":1}\n```'], '{"a":1}'],
		["in a fence without a language", ['```\n{"a":1}\n```'], '{"a":1}'],
		["in a fence on one line", ['```{"a":1}```'], '{"a":1}'],
		["in a fence among words", ['Here:\n```JSON\n{"a":1}\n```\nDone.'], '{"a":1}'],
		["with a fence inside", ['```json\n{"a":"```js\\nx\\n```"}\n```'], '{"a":"```js\\nx\\n```"}'],
		["a value that is no object", ["null"], "null"],
		["not there", ["Ada, 36."], undefined],
		["cut off", ['```json\n{"a":1'], undefined],
		["nothing at all", [], undefined],
		["only fences", ["``````"], undefined],
		["half a fence", ["```"], undefined],
	])("%s", (_name, blocks, expected) => {
		expect(found(...blocks)).toBe(expected);
	});

	it("is looked for in linear time", () => {
		const text = "```".repeat(200_000);
		expect(found(text)).toBeUndefined();
	});
});
