import { describe, expect, it } from "vitest";
import { type GatewayModel, toOpencodeModels } from "./models.ts";

const model = (fields: Partial<GatewayModel>): GatewayModel => ({
	id: "gpt-5.4",
	name: "GPT-5.4",
	context_window: 272_000,
	capabilities: { tools: true, images: true, thinking: true },
	parameters: [],
	variants: [],
	...fields,
});
const variant = (id: string, parameters: Record<string, string>) => ({ id, name: id.toUpperCase(), parameters });
/** Names of the variants that can be chosen. */
const offered = (entry: { variants: object } | undefined) =>
	Object.entries(entry!.variants).filter(([, value]) => !("disabled" in value));

describe("the models for OpenCode", () => {
	it("have the limits and abilities of Cursor's, and cost nothing", () => {
		expect(toOpencodeModels([model({})])["gpt-5.4"]).toMatchObject({
			name: "GPT-5.4",
			limit: { context: 272_000 },
			attachment: true,
			reasoning: true,
			tool_call: true,
			modalities: { input: ["text", "image"], output: ["text"] },
			cost: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
		});
		const blind = model({ capabilities: { tools: true, images: false, thinking: false } });
		expect(toOpencodeModels([blind])["gpt-5.4"]).toMatchObject({ attachment: false, modalities: { input: ["text"] } });
	});

	it("have a context window where Cursor tells none", () => {
		expect(toOpencodeModels([model({ context_window: null })])["gpt-5.4"]!.limit.context).toBeGreaterThan(0);
	});

	it.each([
		[[{ id: "reasoning", values: ["low", "high"] }], ["low", "high"]],
		[[{ id: "effort", values: ["low", "max"] }], ["low", "max"]],
		[
			[
				{ id: "thinking", values: ["true", "false"] },
				{ id: "effort", values: ["high"] },
			],
			["none", "high"],
		],
		[[{ id: "fast", values: ["true", "false"] }], []],
		[[], []],
	])("offer the efforts of %j and no other", (parameters, efforts) => {
		expect(offered(toOpencodeModels([model({ parameters })])["gpt-5.4"])).toEqual(
			efforts.map((effort) => [effort, { reasoningEffort: effort }]),
		);
	});

	it("leave out what the gateway lists as a variant: each model names its own", () => {
		const models = toOpencodeModels([model({}), model({ id: "gpt-5.4-high", variant_of: "gpt-5.4" })]);
		expect(Object.keys(models)).toEqual(["gpt-5.4"]);
	});

	it("stand apart only where an effort does not make the difference", () => {
		const variants = [
			variant("gpt-5.4", { reasoning: "medium", fast: "false" }),
			variant("gpt-5.4-high", { reasoning: "high", fast: "false" }),
			variant("gpt-5.4-thinking", { thinking: "true" }),
			variant("gpt-5.4-high-fast", { reasoning: "high", fast: "true" }),
		];
		const models = toOpencodeModels([model({ variants })]);
		expect(Object.keys(models)).toEqual(["gpt-5.4", "gpt-5.4-high-fast"]);
		expect(models["gpt-5.4-high-fast"]!.name).toBe("GPT-5.4-HIGH-FAST");
		expect(offered(models["gpt-5.4-high-fast"])).toEqual([]);
	});

	it("have the window of the line that lists them: a long one, and that of a variant", () => {
		const parameters = [{ id: "effort", values: ["low", "high"] }];
		const variants = [variant("gpt-5.4-max-mode", { max: "true" })];
		const models = toOpencodeModels([
			model({ parameters, variants }),
			model({ id: "gpt-5.4[1m]", name: "GPT-5.4 1M", context_window: 1_000_000, variant_of: "gpt-5.4" }),
			model({ id: "gpt-5.4-max-mode", context_window: 900_000, variant_of: "gpt-5.4" }),
			model({ id: "gpt-5.4-high", variant_of: "gpt-5.4" }),
			model({ id: "tiny", context_window: 32_000 }),
		]);
		expect(Object.entries(models).map(([id, { limit }]) => [id, limit.context, limit.output])).toEqual([
			["gpt-5.4", 272_000, 32_000],
			["gpt-5.4[1m]", 1_000_000, 32_000],
			["gpt-5.4-max-mode", 900_000, 32_000],
			["tiny", 32_000, 8_000],
		]);
		expect(offered(models["gpt-5.4[1m]"]).map(([effort]) => effort)).toEqual(["low", "high"]);
	});
});
