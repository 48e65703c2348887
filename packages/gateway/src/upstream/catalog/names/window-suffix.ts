import type { ModelInfo } from "../model.ts";
import { tokenCount } from "../token-count.ts";

/** A model name and the context window size that a client appended to it: `claude-opus-4-6[1m]`. */
export interface WindowedName {
	name: string;
	window?: string;
}

/** `[1m]` as Claude Code writes it, `:1m`, or `-1m`. Smaller sizes after a dash are part of the name: `gpt-4-32k`. */
const SUFFIX = /^(.+?)(?:\[(\d+(?:\.\d+)?[km])\]|:(\d+(?:\.\d+)?[km])|-(\d+m))$/i;

/** Strips the size from a name. A name that already belongs to a model or to the user's aliases is left alone. */
export function splitWindow(whole: string, isKnown: (name: string) => boolean): WindowedName {
	const [, name, ...sizes] = SUFFIX.exec(whole) ?? [];
	const window = sizes.find((size) => size !== undefined);
	if (name === undefined || window === undefined || isKnown(whole)) return { name: whole };
	return { name, window: window.toLowerCase() };
}

/** How a requested context window applies to a model. */
export interface WindowChoice {
	/** The window, unless it is the usual one. */
	size?: string;
	parameters: Record<string, string>;
	maxMode: boolean;
	/** Set if the request cannot be met. */
	warning?: string;
}

/** Picks the smallest window that is large enough. Beyond the usual one, a run has to ask for Max Mode as well. */
export function chooseWindow(model: ModelInfo, window: string): WindowChoice {
	const wanted = tokenCount(window) ?? 0;
	const { contextWindow = 0, maxContextWindow = 0 } = model;
	if (contextWindow >= wanted) return { parameters: {}, maxMode: false };
	const context = contextSizes(model).find(({ tokens }) => tokens >= wanted);
	if (context) return { size: context.value, parameters: { context: context.value }, maxMode: true };
	if (maxContextWindow >= wanted) return { size: window, parameters: {}, maxMode: true };
	const warning = `${model.id} has no context window of ${window}; its usual one is used`;
	return { parameters: {}, maxMode: false, warning };
}

/** The largest window of a model, unless it is the usual one. */
export function longWindow(model: ModelInfo): string | undefined {
	const { contextWindow = 0, maxContextWindow = 0 } = model;
	const largest = contextSizes(model).at(-1);
	if (largest && largest.tokens > contextWindow) return largest.value;
	return maxContextWindow > contextWindow ? spellTokens(maxContextWindow) : undefined;
}

function spellTokens(tokens: number): string {
	return tokens % 1_000_000 === 0 ? `${tokens / 1_000_000}m` : `${Math.floor(tokens / 1000)}k`;
}

/** Values of the `context` parameter, as defined or as used by variants, smallest first. */
function contextSizes({ parameters, variants }: ModelInfo): { value: string; tokens: number }[] {
	const defined = parameters.find(({ id }) => id === "context")?.values ?? [];
	const used = variants.flatMap((variant) => variant.parameters.context ?? []);
	return [...new Set([...defined, ...used])]
		.map((value) => ({ value, tokens: tokenCount(value) ?? 0 }))
		.filter(({ tokens }) => tokens > 0)
		.sort((a, b) => a.tokens - b.tokens);
}
