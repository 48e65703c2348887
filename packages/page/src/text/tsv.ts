/** Rows as a spreadsheet takes them from the clipboard. A cell that begins like a formula is made a text. */
export const toTsv = (columns: string[], rows: (string | number)[][]): string =>
	[columns, ...rows].map((row) => row.map(cell).join("\t")).join("\n");

function cell(value: string | number): string {
	if (typeof value === "number") return String(value);
	const flat = value.replace(/[\t\r\n]+/g, " ");
	return /^[=+\-@]/.test(flat) ? `'${flat}` : flat;
}
