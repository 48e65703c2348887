/**
 * Levels of JSON that a tool's schema and the arguments of a call can have. Cursor takes both as protobuf values, which
 * are two messages a level, and readers of protobuf stop at a hundred.
 */
export const DEEPEST_JSON = 45;

export function isTooDeep(value: unknown, levels = DEEPEST_JSON): boolean {
	if (typeof value !== "object" || value === null) return false;
	if (levels === 0) return true;
	for (const inner of Object.values(value)) if (isTooDeep(inner, levels - 1)) return true;
	return false;
}
