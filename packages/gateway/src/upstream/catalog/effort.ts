import type { Effort } from "../../turn/request.ts";
import type { ModelInfo } from "./model.ts";
import { EFFORT_ORDER, EFFORT_PARAMETERS } from "./names/variant-slug.ts";

/** What a wish for an effort comes to with a model. */
export interface EffortChoice {
	parameters: Record<string, string>;
	/** One line where the wish cannot be met exactly. */
	warning?: string;
}

/** An effort as parameters that the model has. The nearest weaker one stands in for one that is missing. */
export function chooseEffort(model: ModelInfo, effort: Effort): EffortChoice {
	const thinking = valuesOf(model, "thinking");
	if (effort === "none" && thinking.includes("false")) return { parameters: { thinking: "false" } };
	const on: Record<string, string> = thinking.includes("true") ? { thinking: "true" } : {};
	const id = EFFORT_PARAMETERS.find((parameter) => valuesOf(model, parameter).length > 0);
	if (id) {
		const value = nearest(valuesOf(model, id), effort);
		const warning = `${model.id} has no effort "${effort}"; "${value}" is used`;
		return { parameters: { ...on, [id]: value }, ...(value !== effort && { warning }) };
	}
	if (thinking.includes("true")) {
		return { parameters: on, warning: `${model.id} has thinking on or off only; effort "${effort}" turns it on` };
	}
	const isMet = effort === "none" && !model.thinking;
	return { parameters: {}, ...(!isMet && { warning: `${model.id} has no effort to set; "${effort}" has no effect` }) };
}

/** Values a parameter takes, as defined or as its variants use them. */
function valuesOf({ parameters, variants }: ModelInfo, id: string): string[] {
	const defined = parameters.find((parameter) => parameter.id === id)?.values ?? [];
	const used = variants.flatMap((variant) => variant.parameters[id] ?? []);
	return [...new Set([...defined, ...used])];
}

function nearest(values: readonly string[], effort: Effort): string {
	const rising = [...values].sort((a, b) => rank(a) - rank(b));
	return rising.filter((value) => rank(value) <= rank(effort)).at(-1) ?? rising[0]!;
}

/** What is not known ranks highest, so that it is never chosen in place of something known. */
function rank(effort: string): number {
	const index = EFFORT_ORDER.indexOf(effort);
	return index === -1 ? EFFORT_ORDER.length : index;
}
