import { expect, it } from "vitest";
import { oneLine, shortText } from "./fields.ts";
import { parseWith } from "./invalid.ts";

it.each([
	["in units", "x".repeat(8), "x".repeat(9)],
	["in characters of two units", "😀".repeat(8), "😀".repeat(9)],
	["in halves of such characters", "\ud83d".repeat(8), "\ud83d".repeat(9)],
])("a text is measured %s", (_name, right, wrong) => {
	for (const schema of [shortText(8), oneLine(8)]) {
		expect(parseWith(schema, right)).toBe(right);
		expect(() => parseWith(schema, wrong)).toThrow("must be at most 8 characters long");
		expect(() => parseWith(schema, wrong.repeat(1000))).toThrow("must be at most 8 characters long");
	}
});

it("a line that is too long is not searched for anything else", () => {
	const searched: string[] = [];
	const schema = oneLine(8).refine((text) => searched.push(text) > 0);
	expect(schema.safeParse("x".repeat(9)).success).toBe(false);
	expect(schema.safeParse("x\n").success).toBe(false);
	expect(schema.safeParse("x").success).toBe(true);
	expect(searched).not.toContain("x".repeat(9));
});
