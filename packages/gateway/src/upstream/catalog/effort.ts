import { EFFORTS, type Effort } from "../../turn/request.ts";
import type { ModelInfo } from "./model.ts";
import { EFFORT_ORDER, EFFORT_PARAMETERS } from "./names/variant-slug.ts";

/** How a requested effort applies to a model. */
export interface EffortChoice {
	parameters: Record<string, string>;
	/** Set if the request cannot be met exactly. */
	warning?: string;
}

/** Translates an effort into parameters that the model has. If the model lacks it, the next weaker one is used. */
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

/** The efforts that a model has, the weakest first. */
export function effortsOf(model: ModelInfo): Effort[] {
	const values = EFFORT_PARAMETERS.flatMap((parameter) => valuesOf(model, parameter));
	return EFFORTS.filter((effort) => values.includes(effort));
}

/** The effort that a model has if none is asked for; undefined if no list says. */
export function defaultEffort(model: ModelInfo): Effort | undefined {
	const { parameters } = model.variants.find(({ isDefault }) => isDefault) ?? {};
	// To ask for an effort would turn the thinking on.
	if (!parameters || parameters.thinking === "false") return undefined;
	return effortsOf(model).find((effort) => EFFORT_PARAMETERS.some((parameter) => parameters[parameter] === effort));
}

/** The values of a parameter, as defined or as used by variants. */
function valuesOf({ parameters, variants }: ModelInfo, id: string): string[] {
	const defined = parameters.find((parameter) => parameter.id === id)?.values ?? [];
	const used = variants.flatMap((variant) => variant.parameters[id] ?? []);
	return [...new Set([...defined, ...used])];
}

function nearest(values: readonly string[], effort: Effort): string {
	const rising = [...values].sort((a, b) => rank(a) - rank(b));
	return rising.filter((value) => rank(value) <= rank(effort)).at(-1) ?? rising[0]!;
}

/** Unknown efforts rank highest, so that they are never chosen over a known one. */
function rank(effort: string): number {
	const index = EFFORT_ORDER.indexOf(effort);
	return index === -1 ? EFFORT_ORDER.length : index;
}
