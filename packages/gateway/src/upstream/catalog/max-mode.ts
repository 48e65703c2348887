import type { ModelInfo } from "./model.ts";
import { tokenCount } from "./token-count.ts";

/** What Max Mode comes to with a model. */
export interface MaxModeChoice {
	maxMode: boolean;
	/** Those that ask for the largest context window. */
	parameters: Record<string, string>;
	/** One line where the wish cannot be met. */
	warning?: string;
}

/** Two things say it on the wire, and accounts differ in which of them counts: the flag, and the size of the context. */
export function chooseMaxMode(model: ModelInfo): MaxModeChoice {
	const sizes = model.parameters.find(({ id }) => id === "context")?.values ?? [];
	const [largest] = [...sizes].sort((a, b) => (tokenCount(b) ?? 0) - (tokenCount(a) ?? 0));
	if (sizes.length > 1) return { maxMode: true, parameters: { context: largest! } };
	if (model.maxMode !== false) return { maxMode: true, parameters: {} };
	return { maxMode: false, parameters: {}, warning: `${model.id} has no Max Mode; it has no effect` };
}
