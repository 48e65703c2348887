import { AUTOMATIC_ID, AUTOMATIC_NAME } from "../automatic.ts";
import type { ModelInfo, ModelVariant } from "../model.ts";
import { spellSlug } from "../names/variant-slug.ts";
import { tokenCount } from "../token-count.ts";
import { absorb, type DraftModel, type Drafts, type DraftVariant } from "./draft-model.ts";
import type { ListedModel, ModelLists } from "./model-lists.ts";
import { placeUsable } from "./place-usable.ts";

/**
 * Merges three lists into one. The rich list comes first and takes precedence, the REST list fills gaps, and the list
 * of usable ids adds whatever the others do not know, with slugs under their models. Without the rich list, slugs are
 * parsed by their suffixes.
 */
export function mergeLists(lists: ModelLists): ModelInfo[] {
	const { usable = [], available = [], rest = [], autoPool } = withOneAutomatic(lists);
	const drafts: Drafts = new Map();
	const usableIds = new Set(usable.map(({ id }) => id));
	for (const model of available) if (isOffered(model, usableIds)) absorb(drafts, model);
	for (const model of rest) absorb(drafts, model);
	placeUsable(drafts, usable);
	return [...drafts.values()].map((draft) => finish(draft, drafts, autoPool));
}

/** Lists differ in which of its two names they use for the automatic choice, but it is one model. */
function withOneAutomatic(lists: ModelLists): ModelLists {
	const each = [lists.usable, lists.available, lists.rest];
	if (!each.some((list) => list?.some(({ id }) => id === AUTOMATIC_ID))) return lists;
	const [usable, available, rest] = each.map((list) =>
		list?.map((model) => (model.id === AUTOMATIC_NAME ? { ...model, id: AUTOMATIC_ID } : model)),
	);
	return { ...lists, usable, available, rest };
}

function isOffered({ id, variants, hidden }: ListedModel, usableIds: ReadonlySet<string>): boolean {
	return !hidden || usableIds.has(id) || variants.some(({ slug }) => slug !== undefined && usableIds.has(slug));
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
	[AUTOMATIC_ID]: AUTOMATIC_NAME,
	[AUTOMATIC_NAME]: AUTOMATIC_ID,
};

function finish(draft: DraftModel, all: Drafts, autoPool: readonly string[] | undefined): ModelInfo {
	const { id, displayName = id } = draft;
	const sizes = contextSizes(draft);
	const { contextWindow = sizes[0], maxContextWindow = sizes.at(-1) } = draft;
	const aliases = [...draft.aliases, ...(Object.hasOwn(OTHER_NAMES, id) ? [OTHER_NAMES[id]!] : [])];
	return {
		id,
		displayName,
		aliases: [...new Set(aliases)].filter((alias) => !all.has(alias)),
		contextWindow,
		...(maxContextWindow !== undefined && maxContextWindow !== contextWindow && { maxContextWindow }),
		...(draft.maxMode !== undefined && { maxMode: draft.maxMode }),
		thinking: draft.thinking ?? false,
		// If no list says whether the model takes images, the upstream has to decide.
		images: draft.images ?? true,
		parameters: draft.parameters,
		variants: draft.variants.flatMap((variant) => finishVariant(variant, id, displayName)),
		...(autoPool && { pool: autoPool.includes(id) ? "auto" : "api" }),
	};
}

function finishVariant(variant: DraftVariant, id: string, modelName: string): ModelVariant[] {
	const { parameters, isDefault, maxMode, aliases } = variant;
	const slug = variant.slug ?? spellSlug(id, parameters);
	// Without a slug there is no name to request the variant by.
	if (slug === undefined) return [];
	return [{ slug, parameters, displayName: variant.displayName ?? modelName, aliases, isDefault, maxMode }];
}

/** Sizes in the values of the `context` parameter, ascending: `200k`, `1m`. */
function contextSizes({ parameters }: DraftModel): number[] {
	const values = parameters.find(({ id }) => id === "context")?.values ?? [];
	return values.flatMap((value) => tokenCount(value) ?? []).sort((a, b) => a - b);
}
