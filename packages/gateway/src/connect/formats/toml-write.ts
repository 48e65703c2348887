import { EditError, type Json, type Path } from "../edit.ts";
import { isObject } from "./step.ts";

export const tomlKey = (path: Path): string =>
	path.map((step) => (/^[\w-]+$/.test(String(step)) ? step : JSON.stringify(step))).join(".");

export function tomlLiteral(value: Json): string {
	if (typeof value === "string") return JSON.stringify(value).replaceAll("\u007f", "\\u007f");
	if (typeof value === "number" || typeof value === "boolean") return String(value);
	if (Array.isArray(value)) return `[${value.map(tomlLiteral).join(", ")}]`;
	if (value === null) throw new EditError("TOML has no null");
	const members = Object.entries(value).map(([key, entry]) => `${tomlKey([key])} = ${tomlLiteral(entry)}`);
	return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`;
}

/** The lines of a table and of the tables in it, each with a header. */
export function tableLines(path: Path, value: { [key: string]: Json }): string[] {
	const entries = Object.entries(value);
	const own = entries
		.filter(([, entry]) => !isObject(entry))
		.map(([key, entry]) => `${tomlKey([key])} = ${tomlLiteral(entry)}`);
	const inner = entries.flatMap(([key, entry]) => (isObject(entry) ? [tableLines([...path, key], entry)] : []));
	const head = own.length > 0 || inner.length === 0 ? [[`[${tomlKey(path)}]`, ...own]] : [];
	return [...head, ...inner].flatMap((lines, index) => (index === 0 ? lines : ["", ...lines]));
}

/** The lines of a table as dotted keys. */
export function dottedLines(path: Path, value: Json): string[] {
	if (!isObject(value)) return [`${tomlKey(path)} = ${tomlLiteral(value)}`];
	return Object.entries(value).flatMap(([key, entry]) => dottedLines([...path, key], entry));
}
