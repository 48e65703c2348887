import { expect, it } from "vitest";
import { toTsv } from "./tsv.ts";

it("has a line for each row, and no cell that a spreadsheet would run or split", () => {
	const text = toTsv(
		["Name", "Tokens"],
		[
			["plain", 1234],
			["two\nlines\tand a tab", 0],
			["=HYPERLINK(1)", -5],
		],
	);
	expect(text).toBe("Name\tTokens\nplain\t1234\ntwo lines and a tab\t0\n'=HYPERLINK(1)\t-5");
});
