import { expect, it } from "vitest";
import { type Cell, csvLine } from "./csv.ts";

it.each<[cell: Cell, text: string]>([
	["plain", "plain"],
	[12, "12"],
	[undefined, ""],
	["", ""],
	["a,b", '"a,b"'],
	['say "hi"', '"say ""hi"""'],
	["two\nlines", '"two\nlines"'],
	["two\r\nlines", '"two\r\nlines"'],
	[" space ", " space "],
	["=1+1", "'=1+1"],
	["+1", "'+1"],
	["-1", "'-1"],
	["@sum", "'@sum"],
	["\tx", "'\tx"],
	['=cmd("a,b")', `"'=cmd(""a,b"")"`],
	["a=1", "a=1"],
	["ünïcödé", "ünïcödé"],
])("%j", (cell, text) => {
	expect(csvLine([cell, "x"])).toBe(`${text},x\r\n`);
});
