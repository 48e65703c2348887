import { offeredName } from "./automatic.ts";
import { type ModelInfo, type ModelVariant, sameParameters } from "./model.ts";
import type { WindowChoice } from "./names/window-suffix.ts";

/** The model that serves a request, as reported to the client. */
export interface AnsweringModel {
	/** The name that requests the same model again. */
	name: string;
	/** The name with every chosen setting: `claude-4.6-opus effort=high context=1m max-mode`. */
	description: string;
}

/** What a requested name resolved to. */
export interface SettledModel {
	model: ModelInfo;
	/** The variant that the name asked for. */
	variant: ModelVariant | undefined;
	parameters: Readonly<Record<string, string>>;
	maxMode: boolean;
	window: WindowChoice | undefined;
}

export function answeringModel({ model, variant, parameters, maxMode, window }: SettledModel): AnsweringModel {
	const chosen = Object.entries(parameters).map(([id, value]) => `${id}=${value}`);
	const description = [offeredName(model.id), ...chosen, ...(maxMode ? ["max-mode"] : [])].join(" ");
	const name = variant?.slug ?? offeredName(model.id);
	if (!window?.size) return { name, description };
	const listed = model.variants.find((other) => sameParameters(other.parameters, parameters));
	return { name: listed?.slug ?? `${name}[${window.size}]`, description };
}

/** For a name in no list. Only the upstream knows what it means. */
export function unknownModel(modelId: string): AnsweringModel {
	const name = offeredName(modelId);
	return { name, description: name };
}
