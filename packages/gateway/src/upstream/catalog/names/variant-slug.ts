// How slugs are built: `<model>[-<effort>][-thinking][-fast]`. Needed where a list gives a slug without parameters, or
// parameters without a slug.

/** Efforts in rising order. `max` is no suffix: `gpt-5.1-codex-max` is a model of its own. */
export const EFFORT_ORDER: readonly string[] = ["none", "minimal", "low", "medium", "high", "xhigh", "max"];

/** Parameters that carry an effort, whichever of them a model has. */
export const EFFORT_PARAMETERS = ["reasoning", "effort"] as const;

const EFFORT_SUFFIXES = new Set(EFFORT_ORDER.filter((effort) => effort !== "max"));

export interface ParsedSlug {
	base: string;
	effort?: string;
	thinking?: true;
	fast?: true;
}

/** Takes the known suffixes off a slug, in any order. */
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

/** The same as parameters, given which of the two names the model has for its effort. */
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

/** The slug that a variant most likely has; undefined where a parameter has no suffix that is known. */
export function spellSlug(base: string, parameters: Readonly<Record<string, string>>): string | undefined {
	const { reasoning, effort, thinking, fast, ...others } = parameters;
	if (Object.keys(others).length > 0) return undefined;
	const suffixes = [reasoning ?? effort, thinking === "true" && "thinking", fast === "true" && "fast"];
	return [base, ...suffixes.filter((suffix) => suffix)].join("-");
}
