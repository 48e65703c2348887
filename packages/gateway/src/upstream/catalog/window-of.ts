import type { ModelChoice } from "./resolve-model.ts";
import { tokenCount } from "./token-count.ts";

/** How many tokens fit into the window that was chosen; undefined if no list says. */
export function windowOf({ model, candidates: [{ parameters, maxMode }] }: ModelChoice): number | undefined {
	const named = parameters.context === undefined ? undefined : tokenCount(parameters.context);
	return named ?? (maxMode ? model?.maxContextWindow : undefined) ?? model?.contextWindow;
}
