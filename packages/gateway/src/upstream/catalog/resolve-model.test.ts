import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EFFORTS } from "../../turn/request.ts";
import { mergeLists } from "./lists/merge-lists.ts";
import { listedModel } from "./lists/model-lists.ts";
import { type ModelKnowledge, type ModelRequest, resolveModel } from "./resolve-model.ts";

const variant = (slug: string, parameters: Record<string, string>, isDefault = false) => ({
	slug,
	parameters,
	isDefault,
	maxMode: false,
});
const MODELS = mergeLists({
	available: [
		{ ...listedModel("default"), displayName: "Auto" },
		{
			...listedModel("gpt"),
			aliases: ["gpt-latest"],
			thinking: true,
			parameters: [
				{ id: "reasoning", values: ["low", "medium", "high"] },
				{ id: "fast", values: ["false", "true"] },
			],
			variants: [
				variant("gpt-low", { reasoning: "low" }),
				variant("gpt-medium", { reasoning: "medium" }, true),
				variant("gpt-high", { reasoning: "high" }),
				variant("gpt-high-fast", { reasoning: "high", fast: "true" }),
			],
		},
		{
			...listedModel("opus"),
			thinking: true,
			parameters: [
				{ id: "thinking", values: ["false", "true"] },
				{ id: "effort", values: ["low", "high"] },
			],
			variants: [
				variant("opus", { thinking: "false" }, true),
				variant("opus-thinking", { thinking: "true" }),
				variant("opus-high-thinking", { thinking: "true", effort: "high" }),
			],
		},
		{
			...listedModel("composer"),
			parameters: [{ id: "fast", values: ["true", "false"] }],
			variants: [variant("composer-fast", { fast: "true" }, true), variant("composer", { fast: "false" })],
		},
		{
			...listedModel("toggle"),
			thinking: true,
			parameters: [{ id: "thinking", values: ["false", "true"] }],
			variants: [{ ...variant("toggle-1m", { context: "1m" }), maxMode: true }],
		},
	],
	usable: ["flat-low", "flat-high"].map(listedModel),
});

function resolve(request: ModelRequest, knowledge: Partial<ModelKnowledge> = {}) {
	const known = { models: MODELS, aliases: {}, maxMode: false, spellings: {}, ...knowledge };
	const { warnings, effortWarnings, ...choice } = resolveModel(request, known);
	return { ...choice, warnings: [...warnings, ...effortWarnings] };
}
/** `id{parameters}` of each candidate. */
const spelt = (...args: Parameters<typeof resolve>) =>
	resolve(...args).candidates.map(
		({ modelId, parameters }) =>
			modelId +
			Object.entries(parameters)
				.map(([id, value]) => ` ${id}=${value}`)
				.join(""),
	);

describe("a name", () => {
	it.each([
		["default", ["default"]],
		["auto", ["default"]],
		["gpt", ["gpt", "gpt-medium"]],
		["gpt-latest", ["gpt", "gpt-medium"]],
		["GPT-High", ["gpt reasoning=high", "gpt-high"]],
		["gpt-high-fast", ["gpt reasoning=high fast=true", "gpt-high-fast"]],
		["opus", ["opus", "opus thinking=false"]],
		["opus-high-thinking", ["opus thinking=true effort=high", "opus-high-thinking"]],
		// Its id is the slug of a variant that is not the default.
		["composer", ["composer fast=false", "composer"]],
		["composer-fast", ["composer fast=true", "composer-fast"]],
		// Listed only by slugs, so the listed slug comes first and the guess second.
		["flat-high", ["flat-high", "flat reasoning=high"]],
		["flat", ["flat-low", "flat"]],
	])("%s has its two spellings in order", (name, expected) => {
		expect(spelt({ name })).toEqual(expected);
	});

	it("that no list knows passes through as it is", () => {
		const choice = resolve({ name: "gpt-9-high", effort: "low" });
		expect(choice).toMatchObject({ model: undefined, candidates: [{ modelId: "gpt-9-high", spelling: "plain" }] });
		expect(choice.warnings).toHaveLength(1);
		expect(resolve({ name: "auto" }, { models: [] }).candidates).toMatchObject([{ modelId: "default" }]);
		expect(resolve({ name: "__proto__" }).candidates[0].modelId).toBe("__proto__");
	});

	it("of the user's own leads to a model, a variant, or whatever it says", () => {
		const aliases = { "gpt-4o": "gpt-high", gpt: "opus", other: "new-model" };
		expect(spelt({ name: "gpt-4o" }, { aliases })[0]).toBe("gpt reasoning=high");
		expect(spelt({ name: "gpt" }, { aliases })[0]).toBe("opus");
		expect(spelt({ name: "other" }, { aliases })).toEqual(["new-model"]);
		expect(resolve({ name: "gpt-4o" }, { aliases }).requested).toBe("gpt-4o");
	});

	it("of a variant that needs Max Mode asks for it in both spellings", () => {
		expect(resolve({ name: "toggle-1m" }).candidates).toMatchObject([{ maxMode: true }, { maxMode: true }]);
	});

	it("is spelt first as it worked before", () => {
		const spellings = { gpt: "flattened" } as const;
		expect(spelt({ name: "gpt-high" }, { spellings })).toEqual(["gpt-high", "gpt reasoning=high"]);
		expect(spelt({ name: "opus-thinking" }, { spellings })[0]).toBe("opus thinking=true");
		expect(spelt({ name: "flat-high" }, { spellings: { flat: "parameters" } })[0]).toBe("flat reasoning=high");
	});
});

describe("an effort", () => {
	it.each([
		["gpt", "high", ["gpt reasoning=high", "gpt-high"], 0],
		["gpt", "xhigh", ["gpt reasoning=high", "gpt-high"], 1],
		["gpt", "minimal", ["gpt reasoning=low", "gpt-low"], 1],
		["opus", "high", ["opus thinking=true effort=high", "opus-high-thinking"], 0],
		["opus", "medium", ["opus thinking=true effort=low"], 1],
		["opus", "none", ["opus thinking=false", "opus"], 0],
		["opus-thinking", "high", ["opus thinking=true effort=high", "opus-high-thinking"], 0],
		["toggle", "high", ["toggle thinking=true"], 1],
		["composer", "high", ["composer fast=false", "composer"], 1],
		["default", "none", ["default"], 0],
		["default", "high", ["default"], 1],
		["flat", "high", ["flat-high", "flat reasoning=high"], 0],
	] as const)("with %s: %s", (name, effort, expected, warnings) => {
		expect(spelt({ name, effort })).toEqual(expected);
		expect(resolve({ name, effort }).warnings).toHaveLength(warnings);
	});

	it("does not overrule a name that settles it", () => {
		const choice = resolve({ name: "gpt-high", effort: "low" });
		expect(choice.candidates[0].parameters).toEqual({ reasoning: "high" });
		expect(choice.warnings[0]).toContain("gpt-high");
		expect(resolve({ name: "gpt-high", effort: "high" }).warnings).toEqual([]);
		expect(resolve({ name: "opus-thinking", effort: "none" }).candidates[0].parameters).toEqual({ thinking: "true" });
	});
});

it("has candidates for any name, and each of them once", () => {
	const known = MODELS.flatMap(({ id, aliases, variants }) => [id, ...aliases, ...variants.map(({ slug }) => slug)]);
	const name = fc.oneof(fc.constantFrom(...known), fc.string());
	const spelling = fc.constantFrom(undefined, "parameters" as const, "flattened" as const, "plain" as const);
	fc.assert(
		fc.property(
			name,
			fc.option(fc.constantFrom(...EFFORTS), { nil: undefined }),
			spelling,
			(name, effort, remembered) => {
				const spellings = remembered ? Object.fromEntries(MODELS.map(({ id }) => [id, remembered])) : {};
				const { candidates, model } = resolve({ name, effort }, { spellings });
				expect(candidates.length).toBeGreaterThan(0);
				expect(new Set(candidates.map((candidate) => JSON.stringify(candidate))).size).toBe(candidates.length);
				for (const { parameters, modelId } of candidates) {
					if (Object.keys(parameters).length > 0) expect(modelId).toBe(model?.id);
				}
			},
		),
	);
});

describe("an alias of the user's own", () => {
	const aliases = { mine: "gpt-high", "claude-haiku-*": "composer", "*-a*b": "opus", "x*": "toggle" };
	it.each([
		["mine", "gpt"],
		["claude-haiku-4-5", "composer"],
		["claude-haiku-", "composer"],
		["z-ab", "opus"],
		["z-a-anything-b", "opus"],
		["x", "toggle"],
		["claude-haiku", "default"],
		["z-a-anything-bc", undefined],
	])("%s is %s", (name, model) => {
		expect(resolve({ name }, { aliases }).model?.id).toBe(model);
	});
});

describe("a name of Anthropic's", () => {
	const models = mergeLists({
		available: ["default", "claude-4.5-sonnet", "claude-4.6-sonnet", "claude-4.6-opus", "claude-opus-4.10"].map(
			listedModel,
		),
	});
	const warned = (name: string) => resolve({ name }, { models }).warnings.join();

	it.each([
		["claude-sonnet-4-6", "claude-4.6-sonnet"],
		["claude-sonnet-4-5-20250929", "claude-4.5-sonnet"],
		["claude-4-5-sonnet-latest", "claude-4.5-sonnet"],
		["claude-sonnet-4.5@20250929", "claude-4.5-sonnet"],
	])("%s means %s", (name, model) => {
		expect(resolve({ name }, { models }).model?.id).toBe(model);
		expect(warned(name)).toBe("");
	});

	it.each([
		["claude-sonnet-3-7", "claude-4.6-sonnet"],
		["claude-opus-5", "claude-opus-4.10"],
		["claude-opus", "claude-opus-4.10"],
		["claude-haiku-4-5-20251001", "default"],
	])("%s is answered by %s, and that is told", (name, model) => {
		expect(resolve({ name }, { models }).model?.id).toBe(model);
		expect(warned(name)).toContain(`${model} answers for it`);
	});

	it.each(["claude-mythos-1", "claude-sonnet-4-6-fast-thinking", "claude", "gpt-5"])("%s is nobody's", (name) => {
		expect(resolve({ name }, { models }).model).toBeUndefined();
	});
});

describe("a name of OpenAI's", () => {
	const models = mergeLists({
		available: [
			"default",
			"gpt-5.2",
			"gpt-5.10",
			"gpt-5.2-codex",
			"gpt-5.1-codex-max",
			"gpt-5-mini",
			"gpt-5.2-fast",
		].map(listedModel),
	});
	const warned = (name: string) => resolve({ name }, { models }).warnings.join();

	it.each([
		["gpt-5.2-2025-12-11", "gpt-5.2"],
		["gpt-5-mini-2025-08-07", "gpt-5-mini"],
		["GPT-5.2-latest", "gpt-5.2"],
		["gpt-5.1-codex-max", "gpt-5.1-codex-max"],
	])("%s means %s", (name, model) => {
		expect(resolve({ name }, { models }).model?.id).toBe(model);
		expect(warned(name)).toBe("");
	});

	it.each([
		["gpt-4", "gpt-5.10"],
		["gpt-4-0613", "gpt-5.10"],
		["gpt-4-turbo-preview", "gpt-5.10"],
		["gpt-4-32k", "gpt-5.10"],
		["gpt-4o", "gpt-5.10"],
		["gpt-4o-2024-08-06", "gpt-5.10"],
		["chatgpt-4o-latest", "gpt-5.10"],
		["gpt-4.1", "gpt-5.10"],
		["o1-preview", "gpt-5.10"],
		["o3", "gpt-5.10"],
		["gpt-5-codex", "gpt-5.2-codex"],
		["gpt-3.5-turbo", "gpt-5-mini"],
		["gpt-3.5-turbo-instruct", "gpt-5-mini"],
		["gpt-4o-mini", "gpt-5-mini"],
		["gpt-4.1-nano-2025-04-14", "gpt-5-mini"],
		["o3-mini", "gpt-5-mini"],
		["codex-mini-latest", "gpt-5-mini"],
		["text-davinci-003", "gpt-5-mini"],
	])("%s is answered by %s, and that is told", (name, model) => {
		expect(resolve({ name }, { models }).model?.id).toBe(model);
		expect(warned(name)).toContain(`no list of models knows "${name}"; ${model} answers for it`);
	});

	it("for a small model is answered by the automatic choice where the list has none", () => {
		const large = models.filter(({ id }) => id !== "gpt-5-mini");
		expect(resolve({ name: "gpt-3.5-turbo" }, { models: large }).model?.id).toBe("default");
		expect(
			resolve({ name: "gpt-5-codex" }, { models: large.filter(({ id }) => !id.includes("codex")) }).model?.id,
		).toBe("gpt-5.10");
	});

	it.each([
		"gpt-4o-audio-preview",
		"gpt-image-1",
		"gpt-ultra",
		"gpt-99",
		"gpt-5.3-codex",
		"gpt-9-high",
		"o3-deep-research",
		"gpt",
		"dall-e-3",
	])("%s is nobody's", (name) => {
		expect(resolve({ name }, { models }).model).toBeUndefined();
	});

	it("is nobody's where the list has nothing of the kind", () => {
		const claude = mergeLists({ available: ["default", "claude-4.6-opus"].map(listedModel) });
		expect(resolve({ name: "gpt-4o" }, { models: claude }).model).toBeUndefined();
	});
});
