export type Cell = string | number | undefined;

/** Spreadsheets take a cell that begins like this for a formula, and a formula can do harm. */
const FORMULA = /^[=+\-@\t\r]/;
const SPECIAL = /[",\r\n]/;

/** One line of CSV as RFC 4180 has it. A text that a spreadsheet would calculate gets an apostrophe before it. */
export function csvLine(cells: readonly Cell[]): string {
	return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: Cell): string {
	if (cell === undefined) return "";
	if (typeof cell === "number") return String(cell);
	const harmless = FORMULA.test(cell) ? `'${cell}` : cell;
	return SPECIAL.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
