import { EFFORTS, type Effort } from "../../turn/request.ts";
import type { Warnings } from "./warnings.ts";

const EFFORT_BY_NAME: ReadonlyMap<string, Effort> = new Map([
	...EFFORTS.map((effort) => [effort, effort] as const),
	["max", "xhigh"],
	["off", "none"],
]);

/** The effort that a client names. One that is not known is a warning: the model then does as it does by itself. */
export function decodeEffort(name: string, param: string, warnings: Warnings): Effort | undefined {
	const effort = EFFORT_BY_NAME.get(name);
	if (!effort) warnings.add(`${param}: this effort is not known; one of ${EFFORTS.join(", ")} has an effect`);
	return effort;
}
