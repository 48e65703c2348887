import { applyPatch, structuredPatch } from "diff";

/** Lines around a change that must be as they were. Fewer are tried if the user has edited beside our lines. */
const CONTEXTS = [3, 1, 0];

/**
 * Takes the change from `before` to `after` out of a text that has been edited since then, line by line, so that what
 * we replaced comes back exactly. Undefined: our lines were edited, or no result is accepted.
 */
export function takeOut(
	before: string,
	after: string,
	current: string,
	isAccepted: (text: string) => boolean,
): string | undefined {
	for (const context of CONTEXTS) {
		const patch = structuredPatch("", "", after, before, "", "", { context });
		const result = applyPatch(current, patch, { autoConvertLineEndings: false });
		if (result !== false && isAccepted(result)) return result;
	}
	return undefined;
}
