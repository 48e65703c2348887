import { structuredPatch } from "diff";
import type { Paint } from "./output.ts";

const CONTEXT_LINES = 2;

/** What changes in a file, as a diff for a terminal. Secrets are not shown. */
export function diffText(
	file: string,
	before: string | undefined,
	after: string | undefined,
	secrets: readonly string[],
	paint: Paint,
): string {
	const verb = before === undefined ? "new" : after === undefined ? "removed" : "changed";
	const { hunks } = structuredPatch(file, file, before ?? "", after ?? "", "", "", { context: CONTEXT_LINES });
	const lines = hunks.flatMap(({ newStart, lines: body }) => [
		paint("dim", `@@ line ${newStart}`),
		...body.map(colour),
	]);
	return hide([paint("bold", `${file} (${verb})`), ...lines].join("\n"), secrets);

	function colour(line: string): string {
		if (line.startsWith("+")) return paint("green", line);
		return line.startsWith("-") ? paint("red", line) : line;
	}
}

function hide(text: string, secrets: readonly string[]): string {
	return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, "cw_(key)"), text);
}
