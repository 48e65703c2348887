import type { Output, Paint } from "./output.ts";

const GAP = "  ";

/** Rows below a header, each column as wide as its widest cell. In a terminal, lines are cut to its width. */
export function printTable(
	output: Output,
	paint: Paint,
	head: readonly string[],
	rows: readonly (readonly string[])[],
): void {
	const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => width(row[column] ?? ""))));
	const limit = output.isTTY ? (output.columns ?? 80) : Number.POSITIVE_INFINITY;
	const line = (cells: readonly string[]) =>
		cut(cells.map((cell, column) => pad(cell, widths[column]!)).join(GAP), limit);
	output.write(`${paint("bold", line(head))}\n`);
	for (const row of rows) output.write(`${line(row)}\n`);
}

function pad(text: string, to: number): string {
	return text + " ".repeat(Math.max(0, to - width(text)));
}

function cut(text: string, limit: number): string {
	const trimmed = text.trimEnd();
	return width(trimmed) <= limit ? trimmed : `${[...trimmed].slice(0, Math.max(0, limit - 1)).join("")}…`;
}

/** Counts characters, not code units. Names of models have no wide characters. */
function width(text: string): number {
	return [...text].length;
}
