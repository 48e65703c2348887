import { parse } from "smol-toml";
import { EditError, type Json, type Path } from "../edit.ts";
import {
	commentsAbove,
	deletion,
	inkEnd,
	insertion,
	lineEnd,
	lineEnding,
	lineStart,
	nextLine,
	type Splice,
} from "./splice.ts";
import { isObject, type Step } from "./step.ts";
import { scanToml, type TomlMember, type TomlStatement, type TomlValue } from "./toml-scan.ts";
import { dottedLines, tableLines, tomlKey, tomlLiteral } from "./toml-write.ts";

export function parseToml(text: string): Json {
	return parse(text) as Json;
}

export function editToml(text: string, step: Step): Splice[] {
	const statements = scanToml(text);
	const { path } = step;
	if (step.op === "add") return add(text, statements, path, step.value);
	if (step.op === "remove") return remove(text, statements, path);
	const old = step.op === "replace" ? valueAt(statements, path) : undefined;
	if (!old || step.op !== "replace") throw new EditError("only values of keys can be replaced in TOML");
	return [{ from: old.from, to: old.to, text: tomlLiteral(step.value) }];
}

const isWithin = (path: Path, outer: Path): boolean => outer.every((step, depth) => path[depth] === step);
const isEqual = (one: Path, other: Path): boolean => one.length === other.length && isWithin(one, other);

/** The value that a key is set to, also within inline tables. */
function valueAt(entries: readonly (TomlStatement | TomlMember)[], path: Path): TomlValue | undefined {
	for (const { path: key, value } of entries) {
		if (value && isEqual(path, key)) return value;
		const inner = value?.members && isWithin(path, key) ? valueAt(value.members, path.slice(key.length)) : undefined;
		if (inner) return inner;
	}
	return undefined;
}

function add(text: string, statements: TomlStatement[], path: Path, value: Json): Splice[] {
	const parent = path.slice(0, -1);
	const inline = valueAt(statements, parent)?.members;
	if (inline)
		return addMember(text, valueAt(statements, parent)!, `${tomlKey(path.slice(-1))} = ${tomlLiteral(value)}`);
	const dotted = statements.findLast(
		(each) => each.value && isWithin(each.path, parent) && each.table.length < parent.length,
	);
	if (dotted) return addAfter(text, dotted, dottedLines(path.slice(dotted.table.length), value));
	if (isObject(value)) return addAtEnd(text, tableLines(path, value));
	const line = `${tomlKey(path.slice(-1))} = ${tomlLiteral(value)}`;
	if (parent.length === 0) return addToRoot(text, statements, String(path[0]), line);
	const last = statements.findLast(({ table }) => isEqual(table, parent));
	return last ? addAfter(text, last, [line]) : addAtEnd(text, [`[${tomlKey(parent)}]`, line]);
}

function addMember(text: string, { members, to }: TomlValue, member: string): Splice[] {
	const end = inkEnd(text, to - 1);
	const gap = text.slice(end, to - 1) === "" ? " " : "";
	if (members!.length === 0) return [insertion(end, ` ${member}${gap}`)];
	return [insertion(members!.at(-1)!.value.to, `, ${member}`)];
}

/** After a statement and the comment on its line. */
function addAfter(text: string, { to }: TomlStatement, lines: string[]): Splice[] {
	const at = lineEnd(text, to);
	return [insertion(at, lines.map((line) => lineEnding(text, at) + line).join(""))];
}

/** Beside related keys, else after the other keys of the root, else after the comment that opens the file. */
function addToRoot(text: string, statements: TomlStatement[], key: string, line: string): Splice[] {
	const own = statements.filter(({ table, value }) => value && table.length === 0);
	const topic = topicOf(key);
	const related = own.findLast(({ path }) => path.length === 1 && topicOf(String(path[0])) === topic);
	const neighbour = related ?? own.at(-1);
	if (neighbour) return addAfter(text, neighbour, [line]);
	const [table] = statements;
	if (!table) return addAtEnd(text, [line], false);
	const at = commentsAbove(text, lineStart(text, table.from));
	const ending = lineEnding(text, table.from);
	return [insertion(at, line + ending + ending)];
}

/** `model` and `model_provider` belong together. */
const topicOf = (key: string): string => key.split("_")[0]!;

function addAtEnd(text: string, lines: string[], isApart = true): Splice[] {
	const ending = lineEnding(text, text.length);
	const added = lines.join(ending);
	if (text === "") return [insertion(0, added + ending)];
	const hasEnd = text.endsWith("\n");
	const isGap = !isApart || text.slice(lineStart(text, text.length - 1)).trim() === "";
	const gap = isGap ? "" : ending;
	return [insertion(text.length, hasEnd ? gap + added + ending : ending + gap + added)];
}

function remove(text: string, statements: TomlStatement[], path: Path): Splice[] {
	const cuts = statements
		.filter((each) => isWithin(each.path, path))
		.map((each) => ({ from: lineStart(text, each.from), to: nextLine(text, each.to), isHeader: !each.value }));
	if (cuts.length === 0) return removeMember(text, statements, path);
	const merged: Splice[] = [];
	for (const { from, to, isHeader } of cuts) {
		// The blank line above a table was added together with it.
		const gap =
			isHeader && text.slice(lineStart(text, from - 1), from).trim() === "" ? lineStart(text, from - 1) : from;
		merged.push(deletion(to === text.length ? endBefore(text, gap) : gap, to));
	}
	return merged;
}

/** A file whose last line has no line ending keeps none. */
function endBefore(text: string, at: number): number {
	return text.endsWith("\n") || at === 0 ? at : lineEnd(text, lineStart(text, at - 1));
}

function removeMember(text: string, statements: TomlStatement[], path: Path): Splice[] {
	const outer = statements.find(({ path: key, value }) => value && isWithin(path, key));
	let members = outer?.value?.members ?? [];
	let rest = path.slice(outer?.path.length ?? 0);
	for (;;) {
		const index = members.findIndex(({ path: key }) => isWithin(rest, key));
		const member = members[index];
		if (!member) throw new EditError("nothing to remove");
		if (member.path.length === rest.length) return [cutMember(text, members, index)];
		rest = rest.slice(member.path.length);
		members = member.value.members ?? [];
	}
}

function cutMember(text: string, members: TomlMember[], index: number): Splice {
	const { from, value } = members[index]!;
	const [former, next] = [members[index - 1], members[index + 1]];
	if (former) return deletion(former.value.to, value.to);
	return next
		? deletion(from, next.from)
		: deletion(inkEnd(text, from), value.to + /^[ \t]*/.exec(text.slice(value.to))![0].length);
}
