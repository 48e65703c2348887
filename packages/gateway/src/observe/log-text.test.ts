import { describe, expect, it } from "vitest";
import { coloured, plain } from "../text/paint.ts";
import type { LogEntry } from "./log-entry.ts";
import { entryText } from "./log-text.ts";

const AT = new Date(2026, 10, 16, 9, 8, 7).toISOString();
const TURN: LogEntry = {
	level: 30,
	time: AT,
	msg: "turn",
	client: "claude-cli",
	key: "default",
	model: "composer-1",
	path: "parked",
	inputTokens: 12_345,
	outputTokens: 67,
	latencyMs: 1_234,
	status: 200,
};
const words = (entry: LogEntry) => entryText(entry, plain).replace(/ {2,}/g, " | ");

describe("a line of the log for a person", () => {
	it("says who asked what, on which rung, and what it took", () => {
		expect(words(TURN)).toBe("09:08:07 | claude-cli | composer-1 | parked | 12,345 in | 67 out | 1,234 ms");
	});

	it("names a key that has a name of its own", () => {
		expect(words({ ...TURN, key: "laptop" })).toMatch(/^09:08:07 \| laptop \| composer-1/);
	});

	it("says what went wrong and what to do next", () => {
		const failed = { ...TURN, status: 402, errorKind: "quota-exhausted", nextStep: "Wait for the reset." };
		expect(words(failed)).toMatch(/1,234 ms \| 402 quota-exhausted \| Wait for the reset\.$/);
	});

	it("says what was refused, and how many more", () => {
		const refused = { level: 40, time: AT, status: 401, errorKind: "bad-key" };
		const one = { ...refused, msg: "refused", method: "GET", route: "/v1/models", reason: "No.", nextStep: "Do." };
		expect(words(one)).toBe("09:08:07 | - | refused | GET /v1/models | 401 bad-key | No. | Do.");
		const more = { ...refused, msg: "refused again", refusals: 1_234 };
		expect(words(more)).toBe("09:08:07 | - | refused 1,234 more with 401 bad-key");
	});

	it("says anything else with its fields, and of a stack trace the first line", () => {
		const other = { level: 40, time: AT, msg: "Cursor keeps failing", breaker: "open", failures: 3 };
		expect(words(other)).toBe("09:08:07 | warning | Cursor keeps failing | breaker=open | failures=3");
		const bug = { level: 50, time: AT, msg: "a mistake of the gateway", error: "Error: x\n    at y" };
		expect(words(bug)).toBe("09:08:07 | error | a mistake of the gateway | Error: x");
	});

	it("is one line whatever a field holds, and tells no key", () => {
		const nasty = "a\nb\r\u001b[2J\u202e\u2028\u009b31m cw_0123456789abcdef";
		const fields = { client: nasty, key: nasty, model: nasty, path: nasty, errorKind: nasty, nextStep: nasty };
		for (const msg of ["turn", "refused", "refused again", nasty]) {
			const text = entryText({ ...TURN, ...fields, route: nasty, reason: nasty, error: nasty, msg }, plain);
			// biome-ignore lint/suspicious/noControlCharactersInRegex: none of them may be there.
			expect(text).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u202e]/);
			expect(text).not.toContain("cw_0123456789abcdef");
			expect(text.length).toBeLessThan(2_000);
		}
	});

	it("has colours only where they are wanted", () => {
		expect(entryText(TURN, plain)).not.toContain("\u001b");
		expect(entryText(TURN, coloured)).toContain("\u001b[2m09:08:07\u001b[0m");
	});

	it("shows a time that is none as such", () => {
		expect(words({ ...TURN, time: "soon" })).toMatch(/^--:--:-- \| /);
	});
});
