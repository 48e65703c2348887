import { structuredPatch } from "diff";
import { excerpt, foldLists } from "./fold.ts";
import type { Paint } from "./output.ts";

const CONTEXT_LINES = 3;
const LONGEST_LINE = 200;

/** What changes in a file, as a diff for a terminal. Long lists and lines are shortened, and secrets are not shown. */
export function diffText(
	file: string,
	before: string | undefined,
	after: string | undefined,
	secrets: readonly string[],
	paint: Paint,
): string {
	const verb =
		before === after ? "unchanged" : before === undefined ? "new" : after === undefined ? "removed" : "changed";
	const { hunks } = structuredPatch(file, file, before ?? "", after ?? "", "", "", { context: CONTEXT_LINES });
	const lines = hunks.flatMap(({ newStart, lines: body }) => [
		paint("dim", `@@ line ${newStart}`),
		...bodyLines(
			body.map((line) => hide(line.replace(/\r$/, ""), secrets)),
			paint,
		),
	]);
	return [paint("bold", `${hide(file, secrets)} (${verb})`), ...lines].join("\n");
}

const COLOURS: Readonly<Record<string, Parameters<Paint>[0]>> = { "+": "green", "-": "red" };

function bodyLines(body: readonly string[], paint: Paint): string[] {
	const runs = runsOf(body);
	const above: string[] = [];
	return runs.flatMap(({ sign, lines }, index) => {
		// What replaces what: the lines that go come before those that take their place.
		const partner = sign === "+" ? runs[index - 1] : runs[index + 1];
		const short = lines.map((line, at) => excerpt(line, partner?.lines[at], LONGEST_LINE));
		const shown = sign === " " ? short : foldLists(short, above);
		above.push(...lines);
		const colour = COLOURS[sign];
		return shown.map((line) => (colour ? paint(colour, sign + line) : sign + line));
	});
}

/** Consecutive lines with the same sign. */
function runsOf(body: readonly string[]): { sign: string; lines: string[] }[] {
	const runs: { sign: string; lines: string[] }[] = [];
	// Lines with a backslash say that the last line has no line ending, which is never changed.
	for (const line of body.filter((each) => !each.startsWith("\\"))) {
		const sign = line.slice(0, 1);
		const last = runs.at(-1);
		if (last?.sign === sign) last.lines.push(line.slice(1));
		else runs.push({ sign, lines: [line.slice(1)] });
	}
	return runs;
}

function hide(text: string, secrets: readonly string[]): string {
	return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "cw_(key)"), text);
}
