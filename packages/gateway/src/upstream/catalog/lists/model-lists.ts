import * as z from "zod";

const ParametersSchema = z.record(z.string(), z.string());

const ListedVariantSchema = z.object({
	/** Not every list has slugs. */
	slug: z.string().optional(),
	parameters: ParametersSchema,
	displayName: z.string().optional(),
	isDefault: z.boolean(),
	maxMode: z.boolean(),
});

const ListedModelSchema = z.object({
	id: z.string(),
	displayName: z.string().optional(),
	aliases: z.array(z.string()),
	contextWindow: z.number().optional(),
	maxContextWindow: z.number().optional(),
	maxMode: z.boolean().optional(),
	thinking: z.boolean().optional(),
	images: z.boolean().optional(),
	parameters: z.array(z.object({ id: z.string(), values: z.array(z.string()) })),
	variants: z.array(ListedVariantSchema),
	/** Offered only if another list calls it usable. */
	hidden: z.boolean().optional(),
});

/**
 * What each source last returned, in one shape. The cache on disk holds this rather than the merged list, because
 * merging is cheap and may improve.
 */
export const ModelListsSchema = z.object({
	/** GetUsableModels: what runs may name, with each variant listed by slug. */
	usable: z.array(ListedModelSchema).optional(),
	/** AvailableModels: limits, parameters, variants. */
	available: z.array(ListedModelSchema).optional(),
	/** GET /v1/models: parameters and variants, without slugs. */
	rest: z.array(ListedModelSchema).optional(),
	/** Models in the `auto` pool. */
	autoPool: z.array(z.string()).optional(),
});

export type ListedVariant = z.output<typeof ListedVariantSchema>;
export type ListedModel = z.output<typeof ListedModelSchema>;
export type ModelLists = z.output<typeof ModelListsSchema>;

/** A model about which only the id is known. */
export function listedModel(id: string): ListedModel {
	return { id, aliases: [], parameters: [], variants: [] };
}
