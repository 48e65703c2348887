import { AUTOMATIC_ID } from "../upstream/catalog/automatic.ts";
import { defaultEffort, effortsOf } from "../upstream/catalog/effort.ts";
import { CODEX_INSTRUCTIONS } from "./codex-instructions.ts";
import type { ModelEntry } from "./model-entries.ts";

/** Codex has to know a window, or it would never compact. This is that of Cursor's smallest models. */
const UNKNOWN_WINDOW = 128_000;
/** Codex shortens the output of a tool to this before it sends it; the same as for models that it knows. */
const TOOL_OUTPUT = { mode: "tokens", limit: 10_000 };

/** In characters, of which some are several bytes; Codex reads no catalogue of more than a mebibyte. */
const LONGEST = 1_000_000;

/**
 * The catalogue in the form of Codex, which asks for it with `client_version`. A model that is not in it gets a window
 * and tools that are guessed, and a warning. Fields that Codex does not need are left out: with most of them a model is
 * offered tools that only OpenAI's models know. A name can stand for another one, so aliases are there too, hidden.
 *
 * A catalogue that is too long has no variants: Codex takes the entry whose name is the beginning of the one it looks
 * for, and variants are called after their models.
 */
export function codexCatalog(entries: readonly ModelEntry[]): object {
	const listed = new Set(entries.map(({ id }) => id));
	const whole = catalogOf(entries, (alias) => listed.has(alias));
	if (JSON.stringify(whole).length <= LONGEST) return whole;
	const models = entries.filter(({ parameters }) => parameters === undefined);
	return catalogOf(models, (alias) => models.some(({ id }) => alias.startsWith(id)));
}

/** `isKnown`: whether an alias needs no entry of its own. */
function catalogOf(entries: readonly ModelEntry[], isKnown: (alias: string) => boolean): object {
	const hidden = entries.flatMap((entry) =>
		aliasesOf(entry)
			.filter((id) => !isKnown(id))
			.map((id) => ({ ...entry, id })),
	);
	return {
		models: [
			...entries.map((entry, index) => toCodexModel(entry, "list", index)),
			...hidden.map((entry, index) => toCodexModel(entry, "hide", entries.length + index)),
		],
	};
}

function aliasesOf({ model, parameters }: ModelEntry): string[] {
	if (parameters) return [];
	return model.id === AUTOMATIC_ID ? [model.id, ...model.aliases] : model.aliases;
}

function toCodexModel(
	{ id, name, model, contextWindow, parameters }: ModelEntry,
	visibility: string,
	priority: number,
) {
	const fallback = parameters ? undefined : defaultEffort(model);
	return {
		slug: id,
		display_name: name,
		description: `${name}, through Cursor`,
		visibility,
		priority,
		supported_in_api: true,
		// A variant has its effort in its name.
		supported_reasoning_levels: parameters ? [] : effortsOf(model).map(toLevel),
		...(fallback !== undefined && { default_reasoning_level: fallback }),
		shell_type: "default",
		support_verbosity: false,
		truncation_policy: TOOL_OUTPUT,
		experimental_supported_tools: [],
		input_modalities: model.images ? ["text", "image"] : ["text"],
		context_window: contextWindow ?? UNKNOWN_WINDOW,
		base_instructions: CODEX_INSTRUCTIONS,
	};
}

const toLevel = (effort: string) => ({ effort, description: `The model's effort "${effort}"` });
