import type { Sighting } from "./tally.ts";

/** How each kind of sighting is described to users. */
export const NEWS: Readonly<Record<Sighting["what"], string>> = {
	field: "new field",
	kind: "new kind",
	"enum-value": "new value",
	model: "new model",
	more: "more",
};

/** Where the unknown part is, and what it looks like on the wire. */
export function placeOf(row: Sighting): string {
	if (row.what === "enum-value") return `${row.path} = ${row.value}`;
	if (row.what === "field" || row.what === "kind") return `${row.path} (${row.wireType})`;
	return row.path;
}

export function describeNews(row: Sighting): string {
	return `${NEWS[row.what]} ${placeOf(row)}`;
}
