import { create } from "@bufbuild/protobuf";
import { GetUsableModelsResponseSchema } from "@cursorwire/protocol/agent";
import { AvailableModelsResponseSchema } from "@cursorwire/protocol/aiserver";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromAvailable } from "./from-available.ts";
import { fromRest } from "./from-rest.ts";
import { fromUsable } from "./from-usable.ts";
import { mergeLists } from "./merge-lists.ts";
import { type ListedModel, listedModel } from "./model-lists.ts";

const usable = fromUsable(
	create(GetUsableModelsResponseSchema, {
		models: [
			{ modelId: "default", displayName: "Auto" },
			{ modelId: "gpt-5.4-high", displayName: "GPT-5.4 High", thinkingDetails: {}, aliases: ["gpt-high"] },
			{ modelId: "gpt-5.4-medium", displayName: "GPT-5.4 Medium", thinkingDetails: {}, aliases: ["gpt"] },
			{ modelId: "extra", displayName: "Extra" },
		],
	}),
);
const available = fromAvailable(
	create(AvailableModelsResponseSchema, {
		modelNames: ["gpt-5.4", "bare"],
		models: [
			{
				name: "gpt-5.4",
				clientDisplayName: "GPT-5.4",
				supportsImages: false,
				supportsThinking: true,
				contextTokenLimit: 272_000,
				idAliases: ["gpt-latest"],
				legacySlugs: ["gpt-5.4-high", "gpt-old"],
				parameterDefinitions: [
					{ id: "reasoning", parameterType: { enumParameter: { values: [{ value: "medium" }, { value: "high" }] } } },
					{ id: "fast", parameterType: { booleanParameter: { values: [{ value: "false" }, { value: "true" }] } } },
				],
				variants: [
					{ parameterValues: [{ id: "reasoning", value: "high" }], legacySlug: "gpt-5.4-high" },
					{
						parameterValues: [{ id: "reasoning", value: "medium" }],
						legacySlug: "gpt-5.4-medium",
						isDefaultNonMaxConfig: true,
					},
				],
			},
			{ name: "secret", isHidden: true },
			{ name: "hidden-but-usable", isHidden: true },
			{ name: "only-cmd-k", onlySupportsCmdK: true },
		],
	}),
);
const rest = fromRest({
	items: [
		{
			id: "gpt-5.4",
			displayName: "GPT 5.4 (REST)",
			parameters: [{ id: "reasoning", values: [{ value: "high" }] }],
			variants: [{ params: [{ id: "reasoning", value: "high" }], displayName: "High" }],
		},
		{
			id: "rest-only",
			aliases: ["default"],
			variants: [{ params: [{ id: "fast", value: "true" }], displayName: "F" }],
		},
		{ id: 7 },
		"nonsense",
	],
});
const byId = (id: string, models: ReturnType<typeof mergeLists>) => models.find((model) => model.id === id);

describe("three lists", () => {
	const models = mergeLists({ usable, available, rest, autoPool: ["default"] });

	it("become one, each model once", () => {
		expect(models.map(({ id }) => id)).toEqual(["gpt-5.4", "bare", "rest-only", "default", "extra"]);
	});

	it("leave the rich list its word and fill its gaps", () => {
		expect(byId("gpt-5.4", models)).toEqual({
			id: "gpt-5.4",
			displayName: "GPT-5.4",
			aliases: ["gpt-latest", "gpt-old", "gpt"],
			contextWindow: 272_000,
			thinking: true,
			images: false,
			parameters: [
				{ id: "reasoning", values: ["medium", "high"] },
				{ id: "fast", values: ["false", "true"] },
			],
			variants: [
				{
					slug: "gpt-5.4-high",
					parameters: { reasoning: "high" },
					displayName: "High",
					aliases: ["gpt-high"],
					isDefault: false,
					maxMode: false,
				},
				{
					slug: "gpt-5.4-medium",
					parameters: { reasoning: "medium" },
					displayName: "GPT-5.4 Medium",
					aliases: [],
					isDefault: true,
					maxMode: false,
				},
			],
			pool: "api",
		});
	});

	it("let no alias hide a model, and give Auto its name", () => {
		expect(byId("rest-only", models)?.aliases).toEqual([]);
		expect(byId("default", models)).toMatchObject({ aliases: ["auto"], pool: "auto" });
	});

	it("have one automatic model, whichever of its names each of them uses", () => {
		const both = mergeLists({ available: [listedModel("default")], usable: [listedModel("auto")] });
		expect(both).toMatchObject([{ id: "default", aliases: ["auto"] }]);
		const other = mergeLists({ usable: [listedModel("auto")] });
		expect(other).toMatchObject([{ id: "auto", aliases: ["default"] }]);
	});

	it("show a hidden model only if it is usable", () => {
		const seen = mergeLists({ available, usable: [listedModel("hidden-but-usable")] }).map(({ id }) => id);
		expect(seen).toEqual(["gpt-5.4", "hidden-but-usable", "bare"]);
	});

	it("do not change the lists they come from", () => {
		const before = JSON.stringify([usable, available, rest]);
		mergeLists({ usable, available, rest });
		expect(JSON.stringify([usable, available, rest])).toBe(before);
	});
});

describe("without the rich list", () => {
	it("slugs get under their model by their suffixes", () => {
		const slugs = ["gpt-9", "gpt-9-high", "gpt-9-high-fast", "solo-fast", "x-low", "x-medium"].map(listedModel);
		const models = mergeLists({ usable: slugs });
		expect(models.map(({ id }) => id)).toEqual(["gpt-9", "solo-fast", "x"]);
		expect(byId("gpt-9", models)?.variants).toMatchObject([
			{ slug: "gpt-9-high", parameters: { reasoning: "high" } },
			{ slug: "gpt-9-high-fast", parameters: { reasoning: "high", fast: "true" } },
		]);
		expect(byId("x", models)?.variants.map(({ isDefault }) => isDefault)).toEqual([false, true]);
	});

	it("the REST list gives parameters and the usable list slugs for the same variant", () => {
		const [model] = mergeLists({ rest: [rest[0]!], usable: [listedModel("gpt-5.4-high")] });
		expect(model?.variants).toMatchObject([{ slug: "gpt-5.4-high", parameters: { reasoning: "high" } }]);
		expect(mergeLists({ rest: [rest[1]!] })[0]?.variants[0]?.slug).toBe("rest-only-fast");
	});
});

describe("context windows", () => {
	const sized = (values: string[], more: Partial<ListedModel> = {}) =>
		mergeLists({ available: [{ ...listedModel("m"), parameters: [{ id: "context", values }], ...more }] })[0]!;

	it("come from the parameter where the limits are empty", () => {
		expect(sized(["1m", "200k"])).toMatchObject({ contextWindow: 200_000, maxContextWindow: 1_000_000 });
		expect(sized(["272k"])).not.toHaveProperty("maxContextWindow");
		expect(sized(["huge"]).contextWindow).toBeUndefined();
		expect(sized(["1m"], { contextWindow: 128_000 })).toMatchObject({
			contextWindow: 128_000,
			maxContextWindow: 1_000_000,
		});
	});
});

it("refuses a REST answer that is no list, and takes any other", () => {
	expect(() => fromRest({ models: [] })).toThrowError(expect.objectContaining({ kind: "upstream-protocol" }));
	fc.assert(fc.property(fc.array(fc.jsonValue()), (items) => Array.isArray(fromRest({ items }))));
});

it("keeps every usable id reachable as an id or a slug, and ids apart", () => {
	const name = fc
		.tuple(
			fc.constantFrom("a", "b-1", "claude-x"),
			fc.subarray(["-low", "-high", "-thinking", "-fast", "-max", "-xhigh"]),
		)
		.map(([base, suffixes]) => base + suffixes.join(""));
	fc.assert(
		fc.property(fc.uniqueArray(name), (names) => {
			const models = mergeLists({ usable: names.map(listedModel) });
			const reachable = models.flatMap(({ id, variants }) => [id, ...variants.map(({ slug }) => slug)]);
			for (const each of names) expect(reachable).toContain(each);
			expect(new Set(models.map(({ id }) => id)).size).toBe(models.length);
		}),
	);
});
