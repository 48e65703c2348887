import { type Edit, isSame, type Json, type Path, valueAt } from "../edit.ts";

/** An edit that needs no other part of the file to be created first, and touches nothing that stays the same. */
export type Step =
	/** There is a value at the path. */
	| { op: "replace"; path: Path; value: Json }
	/** The object that contains the key exists, the key does not. */
	| { op: "add"; path: Path; value: Json }
	/** Puts an item at the front of a list that exists. */
	| { op: "prepend"; path: Path; value: Json }
	/** There is a value at the path. */
	| { op: "remove"; path: Path };

type JsonObject = { [key: string]: Json };

/** The steps of an edit on a file with this value. Objects that are set are changed key by key. */
export function stepsOf(root: Json, edit: Edit): Step[] {
	const { path } = edit;
	const present = valueAt(root, path);
	if (edit.op === "remove") return present === undefined ? [] : [{ op: "remove", path }];
	if (edit.op === "set" && present !== undefined) return stepsTo(path, present, edit.value);
	if (edit.op === "insert" && Array.isArray(present)) return [{ op: "prepend", path, value: edit.value }];
	return [creation(root, path, edit.op === "insert" ? [edit.value] : edit.value)];
}

function stepsTo(path: Path, present: Json, wanted: Json): Step[] {
	if (isSame(present, wanted)) return [];
	if (!isObject(present) || !isObject(wanted)) return [{ op: "replace", path, value: wanted }];
	const gone = Object.keys(present).filter((key) => !Object.hasOwn(wanted, key));
	return [
		...Object.entries(wanted).flatMap(([key, value]): Step[] =>
			Object.hasOwn(present, key)
				? stepsTo([...path, key], present[key]!, value)
				: [{ op: "add", path: [...path, key], value }],
		),
		...gone.map((key): Step => ({ op: "remove", path: [...path, key] })),
	];
}

/** Creates the containers that are missing on the way together with the value. A key without a value gets one. */
function creation(root: Json, path: Path, value: Json): Step {
	let depth = 1;
	while (depth < path.length && isObject(valueAt(root, path.slice(0, depth)))) depth++;
	const nested = path.slice(depth).reduceRight<Json>((inner, step) => ({ [step]: inner }), value);
	const outermost = path.slice(0, depth);
	const op = valueAt(root, outermost) === undefined ? "add" : "replace";
	return { op, path: outermost, value: nested };
}

export function isObject(value: Json | undefined): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
