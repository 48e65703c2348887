import type { ModelInfo } from "./model.ts";
import { tokenCount } from "./token-count.ts";

/** How a request for Max Mode applies to a model. */
export interface MaxModeChoice {
	maxMode: boolean;
	/** Parameters that ask for the largest context window. */
	parameters: Record<string, string>;
	/** Set if the request cannot be met. */
	warning?: string;
}

/** Max Mode is expressed both by a flag and by the context size. Accounts differ in which of the two counts. */
export function chooseMaxMode(model: ModelInfo): MaxModeChoice {
	const sizes = model.parameters.find(({ id }) => id === "context")?.values ?? [];
	const [largest] = [...sizes].sort((a, b) => (tokenCount(b) ?? 0) - (tokenCount(a) ?? 0));
	if (sizes.length > 1) return { maxMode: true, parameters: { context: largest! } };
	if (model.maxMode !== false) return { maxMode: true, parameters: {} };
	return { maxMode: false, parameters: {}, warning: `${model.id} has no Max Mode; it has no effect` };
}
