import * as z from "zod";

export const ModelSchema = z.strictObject({
	id: z.string().min(1),
	displayName: z.string().min(1),
	vendor: z.string().default("cursor"),
	aliases: z.array(z.string()).default([]),
	thinking: z.boolean().default(false),
	images: z.boolean().default(true),
	contextTokens: z.number().int().positive().default(200_000),
	maxModeContextTokens: z.number().int().positive().optional(),
	/** Which of the two quota pools a turn is charged to. */
	pool: z.enum(["auto", "api"]).default("api"),
	parameters: z
		.array(z.strictObject({ id: z.string(), displayName: z.string(), values: z.array(z.string()).min(1) }))
		.default([]),
	/** A variant can be named by its flattened id (`slug`), or by the base id with these parameters. */
	variants: z
		.array(
			z.strictObject({
				slug: z.string(),
				displayName: z.string(),
				parameters: z.record(z.string(), z.string()),
				isDefault: z.boolean().default(false),
			}),
		)
		.default([]),
});

export type Model = z.output<typeof ModelSchema>;
type ModelInput = z.input<typeof ModelSchema>;

const EFFORTS = ["low", "medium", "high", "xhigh"] as const;

function effortVariants(id: string, name: string, parameter: string, efforts: readonly string[]) {
	return efforts.map((effort) => ({
		slug: `${id}-${effort}`,
		displayName: `${name} ${effort[0]!.toUpperCase()}${effort.slice(1)}`,
		parameters: { [parameter]: effort },
		isDefault: effort === "medium",
	}));
}

function claude(id: string, name: string): ModelInput {
	return {
		id,
		displayName: name,
		vendor: "anthropic",
		thinking: true,
		contextTokens: 200_000,
		maxModeContextTokens: 1_000_000,
		parameters: [
			{ id: "thinking", displayName: "Thinking", values: ["false", "true"] },
			{ id: "effort", displayName: "Effort", values: ["low", "medium", "high"] },
			{ id: "context", displayName: "Context", values: ["200k", "1m"] },
		],
		variants: [
			{ slug: id, displayName: name, parameters: { thinking: "false" }, isDefault: true },
			{ slug: `${id}-thinking`, displayName: `${name} Thinking`, parameters: { thinking: "true" } },
			...["low", "medium", "high"].map((effort) => ({
				slug: `${id}-${effort}-thinking`,
				displayName: `${name} ${effort} Thinking`,
				parameters: { thinking: "true", effort },
			})),
		],
	};
}

function gpt(id: string, name: string): ModelInput {
	return {
		id,
		displayName: name,
		vendor: "openai",
		thinking: true,
		contextTokens: 272_000,
		parameters: [
			{ id: "reasoning", displayName: "Reasoning", values: [...EFFORTS] },
			{ id: "fast", displayName: "Fast", values: ["false", "true"] },
		],
		variants: [
			...effortVariants(id, name, "reasoning", EFFORTS),
			...EFFORTS.map((effort) => ({
				slug: `${id}-${effort}-fast`,
				displayName: `${name} ${effort} fast`,
				parameters: { reasoning: effort, fast: "true" },
			})),
		],
	};
}

/** A list like the one that accounts see: auto mode, two models of Cursor, and models of other vendors. */
export const DEFAULT_MODELS: Model[] = z.array(ModelSchema).parse([
	{ id: "default", displayName: "Auto", aliases: ["auto"], pool: "auto", thinking: true },
	{ id: "composer-1", displayName: "Composer 1", pool: "auto", aliases: ["composer"] },
	{
		id: "composer-2.5",
		displayName: "Composer 2.5",
		pool: "auto",
		thinking: true,
		parameters: [{ id: "fast", displayName: "Fast", values: ["true", "false"] }],
		variants: [
			{ slug: "composer-2.5-fast", displayName: "Composer 2.5 Fast", parameters: { fast: "true" }, isDefault: true },
			{ slug: "composer-2.5", displayName: "Composer 2.5", parameters: { fast: "false" } },
		],
	},
	claude("claude-4.6-opus", "Opus 4.6"),
	claude("claude-4.6-sonnet", "Sonnet 4.6"),
	gpt("gpt-5.4", "GPT-5.4"),
	gpt("gpt-5.4-codex", "GPT-5.4 Codex"),
	{ id: "gemini-3.1-pro", displayName: "Gemini 3.1 Pro", vendor: "google", thinking: true, contextTokens: 1_000_000 },
	{ id: "grok-code", displayName: "Grok Code", vendor: "xai", images: false, contextTokens: 256_000 },
] satisfies ModelInput[]);

export interface ChosenModel {
	model: Model;
	parameters: Record<string, string>;
}

/** Finds a model by its id or alias, or by the flattened id of a variant. */
export function findModel(
	models: readonly Model[],
	id: string,
): (ChosenModel & { form: "base" | "flattened" }) | undefined {
	const base = models.find((model) => model.id === id || model.aliases.includes(id));
	if (base) return { model: base, parameters: {}, form: "base" };
	for (const model of models) {
		const variant = model.variants.find(({ slug }) => slug === id);
		if (variant) return { model, parameters: variant.parameters, form: "flattened" };
	}
	return undefined;
}
