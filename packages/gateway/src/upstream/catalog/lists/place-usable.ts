import { type ParsedSlug, parseSlug, slugParameters } from "../names/variant-slug.ts";
import { absorb, absorbVariant, type DraftModel, type Drafts } from "./draft-model.ts";
import { type ListedModel, listedModel } from "./model-lists.ts";

interface Slug {
	model: ListedModel;
	parsed: ParsedSlug;
}

/** Sorts the flat list of usable ids into the models: each is an id, a known slug, a slug to parse, or a new model. */
export function placeUsable(drafts: Drafts, usable: readonly ListedModel[]): void {
	const unknown = usable.filter((model) => !joinKnown(drafts, model));
	const slugs: Slug[] = [];
	for (const model of unknown) {
		const parsed = parseSlug(model.id);
		if (parsed.base === model.id) absorb(drafts, model);
		else slugs.push({ model, parsed });
	}
	for (const [base, group] of groupByBase(slugs)) placeGroup(drafts, base, group);
}

function joinKnown(drafts: Drafts, usable: ListedModel): boolean {
	for (const draft of drafts.values()) {
		const variant = draft.variants.find(({ slug }) => slug === usable.id);
		if (!variant) continue;
		variant.displayName ??= usable.displayName;
		(variant.isDefault ? draft : variant).aliases.push(...usable.aliases);
		noteThinking(draft, usable);
		return true;
	}
	if (!drafts.has(usable.id)) return false;
	noteThinking(absorb(drafts, { ...usable, thinking: undefined }), usable);
	return true;
}

/** A slug without thinking says nothing about the model. */
function noteThinking(draft: DraftModel, { thinking }: ListedModel): void {
	if (thinking) draft.thinking ??= true;
}

function groupByBase(slugs: readonly Slug[]): Map<string, Slug[]> {
	const groups = new Map<string, Slug[]>();
	for (const slug of slugs) groups.set(slug.parsed.base, [...(groups.get(slug.parsed.base) ?? []), slug]);
	return groups;
}

/** A single suffixed id that belongs to no known model may be a model whose name just happens to end like that. */
function placeGroup(drafts: Drafts, base: string, group: readonly Slug[]): void {
	const isNew = !drafts.has(base);
	if (isNew && group.length === 1) {
		absorb(drafts, group[0]!.model);
		return;
	}
	const draft = absorb(drafts, listedModel(base));
	const known = draft.parameters.map(({ id }) => id);
	for (const { model, parsed } of group) {
		const parameters = slugParameters(parsed, known);
		const { id: slug, displayName } = model;
		const variant = absorbVariant(draft, { slug, parameters, displayName, isDefault: false, maxMode: false });
		variant.aliases.push(...model.aliases);
		noteThinking(draft, model);
	}
	if (isNew) chooseDefault(draft, group);
}

/** A model that is listed only by slugs needs a default slug for requests that name just the model. */
function chooseDefault(draft: DraftModel, group: readonly Slug[]): void {
	const medium = group.find(({ parsed }) => parsed.effort === "medium" && !parsed.fast);
	const slug = (medium ?? group[0]!).model.id;
	for (const variant of draft.variants) variant.isDefault = variant.slug === slug;
}
