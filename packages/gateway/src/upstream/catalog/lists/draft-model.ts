import { sameParameters } from "../model.ts";
import { type ListedModel, type ListedVariant, listedModel } from "./model-lists.ts";

/** A model while lists are still being added to it. */
export interface DraftModel extends ListedModel {
	variants: DraftVariant[];
}

export interface DraftVariant extends ListedVariant {
	aliases: string[];
}

/** Models by id, in the order in which they first appeared. */
export type Drafts = Map<string, DraftModel>;

/** Adds what a list says about a model. What is already known is not overwritten. */
export function absorb(drafts: Drafts, model: ListedModel): DraftModel {
	const draft = drafts.get(model.id) ?? { ...listedModel(model.id), variants: [] };
	drafts.set(model.id, draft);
	draft.displayName ??= model.displayName;
	draft.contextWindow ??= model.contextWindow;
	draft.maxContextWindow ??= model.maxContextWindow;
	draft.maxMode ??= model.maxMode;
	draft.thinking ??= model.thinking;
	draft.images ??= model.images;
	draft.aliases.push(...model.aliases);
	for (const parameter of model.parameters) {
		if (!draft.parameters.some(({ id }) => id === parameter.id)) draft.parameters.push(parameter);
	}
	for (const variant of model.variants) absorbVariant(draft, variant);
	return draft;
}

/** The same for a variant. Variants with equal parameters are the same variant. */
export function absorbVariant(draft: DraftModel, variant: ListedVariant): DraftVariant {
	const known = draft.variants.find(
		({ parameters, maxMode }) => sameParameters(parameters, variant.parameters) && maxMode === variant.maxMode,
	);
	if (!known) {
		const added = { ...variant, aliases: [] };
		draft.variants.push(added);
		return added;
	}
	known.slug ??= variant.slug;
	known.displayName ??= variant.displayName;
	return known;
}
