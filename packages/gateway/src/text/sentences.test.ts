import { expect, it } from "vitest";
import { joinSentences } from "./sentences.ts";

it.each([
	[["Not found", "Model name is not valid", "Try another."], "Not found. Model name is not valid. Try another."],
	[["What?", "", undefined, "  Yes!  ", "so"], "What? Yes! so"],
	[["It said (no).", "End"], "It said (no). End"],
	[[], ""],
])("%j is %j", (parts, text) => {
	expect(joinSentences(parts)).toBe(text);
});
