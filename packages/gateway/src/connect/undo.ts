import { type Edit, editValue, isSame, type Json, type Path, valueAt } from "./edit.ts";

export interface Undo {
	edits: Edit[];
	/** What the user has changed since then, which is kept. */
	kept: Path[];
}

/**
 * The edits that undo `edits` in a file that has been changed since then: what we wrote is removed, the former values
 * are restored, and everything else in the file stays.
 */
export function undoEdits(edits: readonly Edit[], before: Json, changed: Json): Undo {
	const undo: Undo = { edits: [], kept: [] };
	let current = changed;
	for (const edit of [...edits].reverse()) {
		const step = edit.op === "insert" ? undoInsert(edit, before, current) : undoSet(edit, before, current);
		if (step === "kept") undo.kept.push(edit.path);
		else if (step) {
			undo.edits.push(step);
			current = editValue(current, [step]);
		}
	}
	return undo;
}

function undoSet(edit: Edit, before: Json, current: Json): Edit | "kept" | undefined {
	if (edit.op !== "set") return undefined;
	const { path, value, volatile = [] } = edit;
	const present = valueAt(current, path);
	const former = valueAt(before, path);
	if (present === undefined || isSame(present, former)) return undefined;
	if (!isSame(without(present, volatile), without(value, volatile))) return "kept";
	if (former !== undefined) return { op: "set", path, value: former };
	return { op: "remove", path: outermostMade(path, before, current) };
}

function without(value: Json, keys: readonly string[]): Json {
	if (keys.length === 0 || typeof value !== "object" || value === null || Array.isArray(value)) return value;
	return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

function undoInsert(
	{ path, value, volatile = [] }: Extract<Edit, { op: "insert" }>,
	before: Json,
	current: Json,
): Edit | "kept" | undefined {
	const list = valueAt(current, path);
	if (list === undefined) return undefined;
	const ours = without(value, volatile);
	const index = Array.isArray(list) ? list.findIndex((item) => isSame(without(item, volatile), ours)) : -1;
	if (index < 0) return "kept";
	const isAlone = path.length > 0 && (list as Json[]).length === 1 && valueAt(before, path) === undefined;
	return { op: "remove", path: isAlone ? outermostMade(path, before, current) : [...path, index] };
}

/** The shortest path to something that was not there before and contains nothing else. */
function outermostMade(path: Path, before: Json, current: Json): Path {
	let made = path;
	while (made.length > 1) {
		const parent = made.slice(0, -1);
		const content = valueAt(current, parent);
		const isEmptied = typeof content === "object" && content !== null && Object.keys(content).length === 1;
		if (!isEmptied || valueAt(before, parent) !== undefined) break;
		made = parent;
	}
	return made;
}
