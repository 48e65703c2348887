import { type Edit, isSame, type Json, type Path, valueAt } from "./edit.ts";
import { isObject } from "./formats/step.ts";

type Insert = Extract<Edit, { op: "insert" }>;

/**
 * Edits for a file with the value `before`. An item with a name that is there already is replaced in its place, because
 * the client would not accept two of them. What the client has added to it so far, as `present` shows, stays in it.
 */
export function placeNamedItems(edits: readonly Edit[], before: Json, present: Json): Edit[] {
	return edits.map((edit) => {
		if (edit.op !== "insert" || edit.by === undefined) return edit;
		const { path, volatile = [] } = edit;
		const value = { ...(edit.value as object), ...pick(namedItem(edit, present)?.item, volatile) };
		const former = namedItem(edit, before);
		return former ? { op: "set", path: [...path, former.index], value, volatile } : { ...edit, value };
	});
}

/** The item of a list that has the name of the one to insert. */
function namedItem(edit: Insert, root: Json): { item: Json; index: number } | undefined {
	const list = valueAt(root, edit.path);
	if (!Array.isArray(list)) return undefined;
	const index = list.findIndex((item) => isNamedAlike(item, edit));
	return index < 0 ? undefined : { item: list[index]!, index };
}

const isNamedAlike = (item: Json, { value, by }: Insert): boolean =>
	by!.every((key) => isSame(at(item, [key]), at(value, [key])));

const at = (value: Json, path: Path): Json | undefined => valueAt(value, path);

function pick(item: Json | undefined, keys: readonly string[]): { [key: string]: Json } {
	if (!isObject(item)) return {};
	return Object.fromEntries(Object.entries(item).filter(([key]) => keys.includes(key)));
}
