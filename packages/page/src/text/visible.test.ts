import { expect, it } from "vitest";
import { visible } from "./visible.ts";

it.each([
	["claude-4.5-sonnet", "claude-4.5-sonnet"],
	["a\nb\tc\r", "a\\nb\\tc\\r"],
	["bell\u0007\u001b[31m", "bell\\u0007\\u001b[31m"],
	["\u202egnp.exe\u202c", "\\u202egnp.exe\\u202c"],
	["\u2066isolated\u2069 \u200f\u061c", "\\u2066isolated\\u2069 \\u200f\\u061c"],
	["zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"],
	["tag\u{e0041}", "tag\\u{e0041}"],
	["half\ud83d", "half\\ud83d"],
	["<b>&amp;</b>", "<b>&amp;</b>"],
	["שלום 😀 é", "שלום 😀 é"],
])("shows %j as %j", (text, shown) => {
	expect(visible(text)).toBe(shown);
});

it("cuts what no name needs", () => {
	expect(visible("x".repeat(1000))).toBe(`${"x".repeat(300)}…`);
});
