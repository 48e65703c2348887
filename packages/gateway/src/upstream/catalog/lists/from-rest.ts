import * as z from "zod";
import { GatewayError } from "../../../turn/error.ts";
import type { ListedModel } from "./model-lists.ts";

const ValueSchema = z.object({ id: z.string(), value: z.string() });

const RestModelSchema = z.object({
	id: z.string().min(1),
	displayName: z.string().optional(),
	aliases: z.array(z.string()).optional(),
	parameters: z.array(z.object({ id: z.string(), values: z.array(z.object({ value: z.string() })) })).optional(),
	variants: z
		.array(
			z.object({
				params: z.array(ValueSchema),
				displayName: z.string().optional(),
				isDefault: z.boolean().optional(),
			}),
		)
		.optional(),
});

/** GET /v1/models. An entry that cannot be read is skipped, because the others are still valid. */
export function fromRest(json: unknown): ListedModel[] {
	const outer = z.object({ items: z.array(z.unknown()) }).safeParse(json);
	if (!outer.success)
		throw new GatewayError("upstream-protocol", undefined, { detail: "The model list has no items." });
	return outer.data.items.flatMap((item) => {
		const model = RestModelSchema.safeParse(item);
		return model.success ? [toListed(model.data)] : [];
	});
}

function toListed(model: z.output<typeof RestModelSchema>): ListedModel {
	return {
		id: model.id,
		displayName: model.displayName,
		aliases: model.aliases ?? [],
		parameters: (model.parameters ?? []).map(({ id, values }) => ({ id, values: values.map(({ value }) => value) })),
		variants: (model.variants ?? []).map(({ params, displayName, isDefault }) => ({
			parameters: Object.fromEntries(params.map(({ id, value }) => [id, value])),
			displayName,
			isDefault: isDefault ?? false,
			maxMode: false,
		})),
	};
}
