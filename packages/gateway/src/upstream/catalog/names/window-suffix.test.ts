import { describe, expect, it } from "vitest";
import { mergeLists } from "../lists/merge-lists.ts";
import { type ListedModel, listedModel } from "../lists/model-lists.ts";
import type { ModelInfo } from "../model.ts";
import { resolveModel } from "../resolve-model.ts";
import { chooseWindow, longWindow, splitWindow } from "./window-suffix.ts";

describe("a name with a window", () => {
	it.each([
		["opus[1m]", "opus", "1m"],
		["opus[1M]", "opus", "1m"],
		["opus[200k]", "opus", "200k"],
		["opus:1m", "opus", "1m"],
		["opus-1m", "opus", "1m"],
		["claude-opus-4-1-20250805[1m]", "claude-opus-4-1-20250805", "1m"],
		["opus", "opus", undefined],
		["gpt-4-32k", "gpt-4-32k", undefined],
		["opus[thinking]", "opus[thinking]", undefined],
		["opus[1m]x", "opus[1m]x", undefined],
		["[1m]", "[1m]", undefined],
		["listed-1m", "listed-1m", undefined],
	])("%s is %s with %s", (whole, name, window) => {
		expect(splitWindow(whole, (known) => known === "listed-1m")).toEqual({ name, ...(window && { window }) });
	});
});

const modelOf = (fields: Partial<ListedModel>): ModelInfo =>
	mergeLists({ available: [{ ...listedModel("m"), ...fields }] })[0]!;
const context = (...values: string[]) => [{ id: "context", values }];

describe("a wish for a window", () => {
	it.each<[string, Partial<ListedModel>, string, object]>([
		["a parameter", { parameters: context("200k", "1m") }, "1m", { size: "1m", parameters: { context: "1m" } }],
		["the next larger", { parameters: context("2m", "200k", "1m") }, "500k", { size: "1m" }],
		["the usual one", { parameters: context("200k", "1m") }, "200k", { parameters: {}, maxMode: false }],
		["the usual one that is long", { contextWindow: 1_000_000 }, "1m", { parameters: {}, maxMode: false }],
		["Max Mode alone", { contextWindow: 200_000, maxContextWindow: 1e6 }, "1m", { size: "1m", maxMode: true }],
	])("comes to %s", (_, fields, window, choice) => {
		expect(chooseWindow(modelOf(fields), window)).toMatchObject(choice);
		expect(chooseWindow(modelOf(fields), window)).not.toHaveProperty("warning");
	});

	it.each<[string, Partial<ListedModel>]>([
		["nothing is known", {}],
		["all are smaller", { parameters: context("200k", "400k") }],
	])("is told where %s", (_, fields) => {
		expect(chooseWindow(modelOf(fields), "1m")).toEqual({
			...{ parameters: {}, maxMode: false },
			warning: "m has no context window of 1m; its usual one is used",
		});
	});
});

describe("the long window of a model", () => {
	it.each<[Partial<ListedModel>, string | undefined]>([
		[{ parameters: context("200k", "1m") }, "1m"],
		[{ contextWindow: 200_000, maxContextWindow: 1_000_000 }, "1m"],
		[{ contextWindow: 128_000, maxContextWindow: 272_000 }, "272k"],
		[{ contextWindow: 200_000 }, undefined],
		[{}, undefined],
	])("of %j is %s", (fields, window) => {
		expect(longWindow(modelOf(fields))).toBe(window);
	});
});

describe("an alias of the user's own", () => {
	const models = [modelOf({ parameters: context("200k", "1m") })];
	it.each([
		[{ mine: "m[1m]" }, "mine"],
		[{ mine: "m" }, "mine[1m]"],
		[{ "mine*": "m" }, "mine-4[1m]"],
		[{ "mine[1m]": "m[1m]" }, "mine[1m]"],
		[{ "*[1m]": "m-1m" }, "mine[1m]"],
	])("%j leaves %s its window", (aliases: Record<string, string>, name) => {
		const choice = resolveModel({ name }, { models, aliases, spellings: {}, maxMode: false });
		expect(choice.candidates[0]).toMatchObject({ modelId: "m", parameters: { context: "1m" }, maxMode: true });
		expect(choice.requested).toBe(name);
	});

	it("may mean another size, or none", () => {
		const aliases = { "mine[1m]": "m" };
		const choice = resolveModel({ name: "mine[1m]" }, { models, aliases, spellings: {}, maxMode: false });
		expect(choice.candidates[0]).toMatchObject({ modelId: "m", parameters: {}, maxMode: false });
	});
});

it("is lost with a name that no list knows, and that is told", () => {
	const choice = resolveModel({ name: "other[1m]" }, { models: [], aliases: {}, spellings: {}, maxMode: false });
	expect(choice.candidates).toMatchObject([{ modelId: "other", maxMode: false }]);
	expect(choice.warnings).toEqual(['no list of models knows "other"; a context window of 1m has no effect']);
});
