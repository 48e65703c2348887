import { AUTOMATIC_ID, AUTOMATIC_NAME } from "../automatic.ts";
import type { ModelInfo, ModelVariant } from "../model.ts";
import { spellSlug } from "../names/variant-slug.ts";
import { tokenCount } from "../token-count.ts";
import { absorb, type DraftModel, type Drafts, type DraftVariant } from "./draft-model.ts";
import type { ListedModel, ModelLists } from "./model-lists.ts";
import { placeUsable } from "./place-usable.ts";

/**
 * One list from three. The rich list comes first and decides; the REST list fills gaps; the list of usable ids adds
 * what the others do not know, a slug under its model. Without the rich list, slugs are taken apart by their suffixes.
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

/** Where some lists call the automatic choice by its one name and some by the other, it is still one model. */
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
		// Where no list speaks of images the upstream has to refuse them: here nobody knows better.
		images: draft.images ?? true,
		parameters: draft.parameters,
		variants: draft.variants.flatMap((variant) => finishVariant(variant, id, displayName)),
		...(autoPool && { pool: autoPool.includes(id) ? "auto" : "api" }),
	};
}

function finishVariant(variant: DraftVariant, id: string, modelName: string): ModelVariant[] {
	const { parameters, isDefault, maxMode, aliases } = variant;
	const slug = variant.slug ?? spellSlug(id, parameters);
	// Without any slug there is no name to ask for it.
	if (slug === undefined) return [];
	return [{ slug, parameters, displayName: variant.displayName ?? modelName, aliases, isDefault, maxMode }];
}

/** Sizes in the values of the `context` parameter, rising: `200k`, `1m`. */
function contextSizes({ parameters }: DraftModel): number[] {
	const values = parameters.find(({ id }) => id === "context")?.values ?? [];
	return values.flatMap((value) => tokenCount(value) ?? []).sort((a, b) => a - b);
}
