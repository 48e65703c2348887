import { offeredName } from "../upstream/catalog/automatic.ts";
import type { SeenModel } from "../upstream/catalog/model.ts";
import { chooseWindow, longWindow } from "../upstream/catalog/names/window-suffix.ts";
import { tokenCount } from "../upstream/catalog/token-count.ts";

/** One line of a picker of models: a model, or a variant of one. */
export interface ModelEntry {
	id: string;
	name: string;
	model: SeenModel;
	contextWindow: number | undefined;
	thinking: boolean;
	/** The parameters that make it a variant. */
	parameters?: Readonly<Record<string, string>>;
}

/** Every name that can be asked for, variants behind their model: a picker shows what is listed, and nothing else. */
export function modelEntries(models: readonly SeenModel[]): ModelEntry[] {
	const entries = new Map<string, ModelEntry>();
	for (const model of models) entries.set(offeredName(model.id), modelEntry(model));
	return models.flatMap((model) => {
		const main = entries.get(offeredName(model.id))!;
		const variants = [...windowEntries(model), ...variantEntries(model)].filter(({ id }) => !entries.has(id));
		for (const variant of variants) entries.set(variant.id, variant);
		return [main, ...variants];
	});
}

export function modelEntry(model: SeenModel): ModelEntry {
	const { displayName: name, contextWindow, thinking } = model;
	return { id: offeredName(model.id), name, model, contextWindow, thinking };
}

/** The model with its long context window, under the name by which clients ask for it. */
function windowEntries(model: SeenModel): ModelEntry[] {
	const window = longWindow(model);
	if (window === undefined) return [];
	const { id, name, thinking } = modelEntry(model);
	const { parameters } = chooseWindow(model, window);
	return [
		{
			...{ id: `${id}[${window}]`, name: `${name} ${window.toUpperCase()}`, model, thinking, parameters },
			contextWindow: tokenCount(window),
		},
	];
}

function variantEntries(model: SeenModel): ModelEntry[] {
	return model.variants.map(({ slug, displayName, parameters, maxMode }) => ({
		id: offeredName(slug),
		name: displayName,
		model,
		contextWindow: maxMode ? (model.maxContextWindow ?? model.contextWindow) : model.contextWindow,
		thinking: model.thinking && parameters.thinking !== "false",
		parameters,
	}));
}
