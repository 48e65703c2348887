import { parse } from "smol-toml";
import { type Edit, EditError, type Json, type Path } from "../edit.ts";

export function parseToml(text: string): Json {
	return parse(text) as Json;
}

/**
 * Edits line by line: single values before the first table, and whole tables with their own header. Nothing else is
 * needed here, and no TOML library preserves comments.
 */
export function editToml(text: string, edits: readonly Edit[]): string {
	let lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
	for (const edit of edits) {
		if (edit.op === "insert") throw new EditError("lists in TOML cannot be edited");
		const value = edit.op === "set" ? edit.value : undefined;
		lines = isTable(lines, edit.path, value) ? editTable(lines, edit.path, value) : editKey(lines, edit.path, value);
	}
	return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}

function isTable(lines: string[], path: Path, value: Json | undefined): boolean {
	if (value !== undefined) return typeof value === "object";
	return sectionsOf(lines, path).length > 0;
}

function editKey(lines: string[], path: Path, value: Json | undefined): string[] {
	if (path.length !== 1) throw new EditError("only values before the first table can be edited");
	const name = String(path[0]);
	const found = statements(lines).find((statement) => statement.table === undefined && statement.key === name);
	if (!found) return value === undefined ? lines : [`${name} = ${literal(value)}`, ...lines];
	const before = lines.slice(0, found.from);
	const after = lines.slice(found.to);
	if (value === undefined) return [...before, ...after];
	// What follows a value on its line is a comment, which is kept.
	const comment = found.to - found.from === 1 ? commentOf(lines[found.from]!) : "";
	return [...before, `${name} = ${literal(value)}${comment}`, ...after];
}

function editTable(lines: string[], path: Path, value: Json | undefined): string[] {
	const sections = sectionsOf(lines, path);
	const body =
		value === undefined
			? []
			: [
					`[${path.map((step) => bareKey(String(step))).join(".")}]`,
					...Object.entries(value as Record<string, Json>).map(([key, entry]) => `${bareKey(key)} = ${literal(entry)}`),
				];
	const rest = [...lines];
	for (const { from, to } of [...sections].reverse()) {
		// The blank line before a removed table was added together with it.
		const gap = (value === undefined || from !== sections[0]!.from) && rest[from - 1]?.trim() === "" ? 1 : 0;
		rest.splice(from - gap, to - from + gap);
	}
	if (sections.length > 0) return [...rest.slice(0, sections[0]!.from), ...body, ...rest.slice(sections[0]!.from)];
	const gap = rest.length > 0 && rest.at(-1)?.trim() !== "" ? [""] : [];
	return value === undefined ? rest : [...rest, ...gap, ...body];
}

/** The lines of a table and its subtables, from header to last statement; later comments belong to what follows. */
function sectionsOf(lines: string[], path: Path): { from: number; to: number }[] {
	const all = statements(lines);
	const name = path.join("\n");
	return all.flatMap(({ key, table, from }, header) => {
		if (key !== undefined || (table !== name && !table?.startsWith(`${name}\n`))) return [];
		let last = header;
		while (all[last + 1]?.key !== undefined) last++;
		return [{ from, to: all[last]!.to }];
	});
}

interface Statement {
	from: number;
	/** The line after it. */
	to: number;
	/** Undefined for the header of a table. */
	key?: string;
	/** Its steps, one per line; undefined before the first table. */
	table?: string;
}

/** The statements of a file. A value may span several lines, in strings with three quotes and in lists. */
function statements(lines: string[]): Statement[] {
	const found: Statement[] = [];
	let table: string | undefined;
	for (let line = 0; line < lines.length; line++) {
		const text = lines[line]!.trim();
		if (text === "" || text.startsWith("#")) continue;
		if (text.startsWith("[")) {
			table = keySteps(text.replace(/^\[+/, "")).join("\n");
			found.push({ from: line, to: line + 1, table });
			continue;
		}
		const from = line;
		while (line < lines.length - 1 && !isComplete(lines.slice(from, line + 1).join("\n"))) line++;
		found.push({ from, to: line + 1, key: keySteps(text)[0], table });
	}
	return found;
}

function isComplete(statement: string): boolean {
	try {
		parse(statement);
		return true;
	} catch {
		return false;
	}
}

const KEY_STEP = /^\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([\w-]+))\s*(\.?)/;

/** The steps of a dotted key at the start of a text. */
function keySteps(text: string): string[] {
	const steps: string[] = [];
	let rest = text;
	for (;;) {
		const match = KEY_STEP.exec(rest);
		if (!match) return steps;
		steps.push(match[1] ?? match[2] ?? match[3]!);
		rest = rest.slice(match[0].length);
		if (match[4] === "") return steps;
	}
}

/** The comment after a one-line statement, with the spaces before it. A `#` within a string does not start one. */
function commentOf(line: string): string {
	for (let at = line.indexOf("#"); at > 0; at = line.indexOf("#", at + 1)) {
		const statement = line.slice(0, at);
		if (isComplete(statement)) return line.slice(statement.trimEnd().length);
	}
	return "";
}

const bareKey = (key: string): string => (/^[\w-]+$/.test(key) ? key : JSON.stringify(key));

function literal(value: Json): string {
	if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
	if (value === null) throw new EditError("TOML has no null");
	return `{ ${Object.entries(value)
		.map(([key, entry]) => `${bareKey(key)} = ${literal(entry)}`)
		.join(", ")} }`;
}
