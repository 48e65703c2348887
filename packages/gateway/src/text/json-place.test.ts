import { expect, it } from "vitest";
import { jsonPlace } from "./json-place.ts";

/** The place that is told for a text that cannot be parsed. */
function placeIn(text: string): string {
	try {
		JSON.parse(text);
	} catch (error) {
		return jsonPlace(error, text);
	}
	return "none";
}

it.each([
	["", "it ends too early"],
	['{"a": 1, "b": "x', "it ends too early"],
	['{"a": 1 "b": 2}', "look at line 1, column 9"],
	['{\n\t"a": 1\n\t"b": 2\n}', "look at line 3, column 2"],
	["{}{}", "look at line 1, column 3"],
])("the place of the mistake in %j", (text, place) => {
	expect(placeIn(text)).toBe(place);
});

it("nothing of the text is told where the place is not known", () => {
	expect(placeIn('{"key": cw_secret}')).toBe("");
	expect(jsonPlace(new Error("something else"), "{}")).toBe("");
});
