import { EFFORTS, type Effort, type ThinkingWish } from "../../turn/request.ts";
import type { Warnings } from "./warnings.ts";

const EFFORT_BY_NAME: ReadonlyMap<string, Effort> = new Map([
	...EFFORTS.map((effort) => [effort, effort] as const),
	["max", "xhigh"],
	["off", "none"],
]);

/** The effort that a budget for thinking asks for: the first whose minimum it reaches. */
const EFFORT_BY_BUDGET: readonly (readonly [minTokens: number, effort: Effort])[] = [
	[16_384, "high"],
	[4096, "medium"],
	[0, "low"],
];

export function effortOfBudget(tokens: number | null | undefined): ThinkingWish {
	if (typeof tokens !== "number") return {};
	const entry = EFFORT_BY_BUDGET.find(([minTokens]) => tokens >= minTokens);
	return entry ? { effort: entry[1] } : {};
}

/** The effort that a client names. An unknown one gets a warning, and the model decides for itself. */
export function decodeEffort(name: string, param: string, warnings: Warnings): ThinkingWish {
	const effort = EFFORT_BY_NAME.get(name);
	if (effort) return { effort };
	warnings.add(`${param}: this effort is not known; one of ${EFFORTS.join(", ")} has an effect`);
	return {};
}
