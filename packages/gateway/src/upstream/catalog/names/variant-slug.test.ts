import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseSlug, slugParameters, spellSlug } from "./variant-slug.ts";

describe("a slug", () => {
	it("is taken apart from its end, in any order of suffixes", () => {
		expect(parseSlug("gpt-5.4-high-fast")).toEqual({ base: "gpt-5.4", effort: "high", fast: true });
		expect(parseSlug("claude-4.6-opus-high-thinking")).toEqual({
			base: "claude-4.6-opus",
			effort: "high",
			thinking: true,
		});
		expect(parseSlug("claude-4.6-opus-thinking-high").base).toBe("claude-4.6-opus");
	});

	it("keeps what is no suffix", () => {
		for (const id of ["gpt-5.1-codex-max", "gemini-3.1-pro", "default", "grok-code-fast-1", "high", "-high", ""]) {
			expect(parseSlug(id)).toEqual({ base: id });
		}
		expect(parseSlug("gpt-5.1-codex-max-high").base).toBe("gpt-5.1-codex-max");
		expect(parseSlug("odd-low-high")).toEqual({ base: "odd-low", effort: "high" });
	});

	it("gets the parameter names that the model has", () => {
		const high = parseSlug("some-high");
		expect(slugParameters(high, ["effort"])).toEqual({ effort: "high" });
		expect(slugParameters(high, [])).toEqual({ reasoning: "high" });
		expect(slugParameters(parseSlug("claude-x-high"), [])).toEqual({ effort: "high" });
	});

	it("is not made up for parameters without a suffix", () => {
		expect(spellSlug("m", { context: "1m" })).toBeUndefined();
		expect(spellSlug("m", { thinking: "false" })).toBe("m");
	});

	it("survives being taken apart and spelt again", () => {
		const parameters = fc.record(
			{
				reasoning: fc.constantFrom("none", "minimal", "low", "medium", "high", "xhigh"),
				thinking: fc.constant("true"),
				fast: fc.constant("true"),
			},
			{ requiredKeys: [] },
		);
		fc.assert(
			fc.property(parameters, (wanted) => {
				const slug = spellSlug("base-1", wanted)!;
				expect(slugParameters(parseSlug(slug), ["reasoning"])).toEqual(wanted);
				expect(parseSlug(slug).base).toBe("base-1");
			}),
		);
	});
});
