// How slugs are built: `<model>[-<effort>][-thinking][-fast]`. Needed when a list gives a slug without parameters, or
// parameters without a slug.

/** Efforts in ascending order. `max` is not a suffix, because `gpt-5.1-codex-max` is a separate model. */
export const EFFORT_ORDER: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** The parameters that can carry an effort. Which one a model has differs. */
export const EFFORT_PARAMETERS = ["reasoning", "effort"] as const;

const EFFORT_SUFFIXES = new Set(EFFORT_ORDER.filter((effort) => effort !== "max"));

export interface ParsedSlug {
	base: string;
	effort?: string;
	thinking?: true;
	fast?: true;
}

/** Strips the known suffixes from a slug, in any order. */
export function parseSlug(slug: string): ParsedSlug {
	const parsed: ParsedSlug = { base: slug };
	for (;;) {
		const dash = parsed.base.lastIndexOf("-");
		const suffix = parsed.base.slice(dash + 1);
		if (dash <= 0 || !takeSuffix(parsed, suffix)) return parsed;
		parsed.base = parsed.base.slice(0, dash);
	}
}

function takeSuffix(parsed: ParsedSlug, suffix: string): boolean {
	if (suffix === "thinking" && !parsed.thinking) parsed.thinking = true;
	else if (suffix === "fast" && !parsed.fast) parsed.fast = true;
	else if (EFFORT_SUFFIXES.has(suffix) && parsed.effort === undefined) parsed.effort = suffix;
	else return false;
	return true;
}

/** A parsed slug as parameters, using whichever effort parameter the model has. */
export function slugParameters(
	{ base, effort, thinking, fast }: ParsedSlug,
	known: readonly string[],
): Record<string, string> {
	const guess = base.startsWith("claude") ? "effort" : "reasoning";
	const effortId = EFFORT_PARAMETERS.find((id) => known.includes(id)) ?? guess;
	return {
		...(effort && { [effortId]: effort }),
		...(thinking && { thinking: "true" }),
		...(fast && { fast: "true" }),
	};
}

/** The slug that a variant most likely has; undefined if a parameter has no known suffix. */
export function spellSlug(base: string, parameters: Readonly<Record<string, string>>): string | undefined {
	const { reasoning, effort, thinking, fast, ...others } = parameters;
	if (Object.keys(others).length > 0) return undefined;
	const suffixes = [reasoning ?? effort, thinking === "true" && "thinking", fast === "true" && "fast"];
	return [base, ...suffixes.filter((suffix) => suffix)].join("-");
}
