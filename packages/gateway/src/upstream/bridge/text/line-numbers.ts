/** Consecutive lines of a file, and the number of the first one. */
export interface NumberedRun {
	lines: string[];
	first: number;
}

// Longest first, because ` | ` would otherwise match as `|` followed by text that starts with a space.
const SEPARATORS = ["→", " | ", "| ", "|", "\t", ": ", ":"];

/**
 * Removes the numbers that a client put before the lines of a file: `   12→text`, `00012| text`, `12|text`, `12: text`.
 * This happens only if every line has a number and they count up without a gap. Otherwise the digits belong to the
 * file, and removing them would make the next write destroy data.
 */
export function withoutLineNumbers(lines: readonly string[]): NumberedRun | undefined {
	const numbered = lines.map((line) => /^(\s*L?)(\d{1,9})(?!\d)/.exec(line));
	const first = Number(numbered[0]?.[2]);
	if (lines.length === 0 || !numbered.every((match, index) => Number(match?.[2]) === first + index)) return undefined;
	const rests = lines.map((line, index) => line.slice(numbered[index]?.[0].length));
	const separator = SEPARATORS.find((each) => rests.every((rest) => rest.startsWith(each) || rest === each.trimEnd()));
	if (separator === undefined) return undefined;
	return { first, lines: rests.map((rest) => rest.slice(separator.length)) };
}
