import type { ErrorCause } from "./error-cause.ts";

/**
 * Phrases that reveal a cause when no code does. They are used only if exact indicators are missing or vague, so a
 * wrong guess never replaces a certain cause.
 */
const HINTS: readonly (readonly [RegExp, ErrorCause])[] = [
	[
		/\bupdate required\b|\bupdate to the latest version\b|\b(client|version) is (too old|outdated)\b/i,
		{ kind: "client-outdated" },
	],
	[
		/\b(context|prompt|conversation|input)\b.{0,40}\b(too (long|large)|exceeds?|limit reached)\b/i,
		{ kind: "context-too-long" },
	],
	[/\busage limit\b|\bspend(ing)? limit\b|\bout of (usage|credits)\b|\bincluded usage\b/i, { kind: "quota-exhausted" }],
	[
		/\b(country|region)\b.{0,40}\bnot (supported|available|served)\b|\bunsupported (country|region)\b/i,
		{ kind: "region-unsupported" },
	],
	[/\bcontent policy\b|\bcontent filter/i, { kind: "content-filtered" }],
];

/** The cause that a text clearly refers to, if any. */
export function hintOf(text: string): ErrorCause | undefined {
	return HINTS.find(([phrase]) => phrase.test(text))?.[1];
}
