/** Anything a settings file can hold. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

export type Path = readonly (string | number)[];

/** One change of a settings file, at the path of a value. */
export type Edit =
	/** `volatile`: keys of the value that the client itself updates, such as a time. */
	| { op: "set"; path: Path; value: Json; volatile?: readonly string[] }
	/**
	 * Puts an item at the front of a list, which is created if necessary. `by`: keys that name the item; an item with the
	 * same values there is replaced. `volatile`: keys that the client adds to the item.
	 */
	| { op: "insert"; path: Path; value: Json; by?: readonly string[]; volatile?: readonly string[] }
	/** Removes a key, or an item from a list. */
	| { op: "remove"; path: Path };

/** A file that cannot be edited as it is; the message says why and what to do. */
export class EditError extends Error {}

/** The value at a path; undefined if there is none. */
export function valueAt(root: unknown, path: Path): Json | undefined {
	let value = root as Json | undefined;
	for (const step of path) {
		if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
		value = (value as Record<string | number, Json>)[step];
	}
	return value;
}

/** Applies the edits to a copy of a value, independently of the file's format. */
export function editValue(root: Json, edits: readonly Edit[]): Json {
	const result = structuredClone(root);
	for (const edit of edits) {
		const parents = edit.op === "insert" ? edit.path : edit.path.slice(0, -1);
		const isItem = edit.op === "insert" || typeof edit.path.at(-1) === "number";
		const container = containerAt(result, parents, isItem);
		const last = edit.path.at(-1)!;
		if (edit.op === "insert") (container as Json[]).unshift(structuredClone(edit.value));
		else if (edit.op === "set") (container as Record<string, Json>)[last] = structuredClone(edit.value);
		else if (Array.isArray(container)) container.splice(last as number, 1);
		else delete (container as Record<string, Json>)[last];
	}
	return result;
}

function containerAt(root: Json, path: Path, isList: boolean): Json {
	let value = root;
	for (const [depth, step] of path.entries()) {
		const parent = value as Record<string | number, Json>;
		const isLast = depth === path.length - 1;
		// A key without a value gets the container that is needed.
		if ((Object.hasOwn(parent, step) ? parent[step] : null) === null) parent[step] = isLast && isList ? [] : {};
		value = parent[step]!;
		const wanted = isLast && isList ? "list" : "object";
		if (kindOf(value) !== wanted)
			throw new EditError(
				`"${path.slice(0, depth + 1).join(".")}" is not ${wanted === "list" ? "a list" : "an object"}`,
			);
	}
	return value;
}

function kindOf(value: Json): "list" | "object" | "scalar" {
	if (Array.isArray(value)) return "list";
	return typeof value === "object" && value !== null ? "object" : "scalar";
}

/** Whether two values are the same; the order of keys does not matter. */
export function isSame(one: unknown, other: unknown): boolean {
	if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
		return Object.is(one, other);
	if (Array.isArray(one) !== Array.isArray(other)) return false;
	const [left, right] = [Object.keys(one), Object.keys(other)];
	return (
		left.length === right.length &&
		left.every((key) => Object.hasOwn(other, key) && isSame((one as never)[key], (other as never)[key]))
	);
}
