import { isRecord } from "../match/schema.ts";
import { parseJson } from "./batch.ts";

/** A file or directory in a listing, relative to the listed directory. */
export interface ListedEntry {
	path: string[];
	directory: boolean;
}

/** The entries of a directory listing in any form that tools print: lines, bullets, trees, `ls -l`, JSON. */
export function listedEntries(text: string, root: string): ListedEntry[] {
	const parsed = parseJson(text);
	const entries = parsed === undefined ? [] : jsonEntries(parsed, root);
	return entries.length > 0 ? entries : lineEntries(text, headingOf(text) ?? root);
}

/** Tools that resolve paths print the absolute path of the directory above its entries. */
function headingOf(text: string): string | undefined {
	const first = text.split("\n", 20).find((line) => !NOISE.some((form) => form.test(line)));
	return /^(?:[-*•] )?((?:\/|[A-Za-z]:\\).*[/\\])$/.exec(first ?? "")?.[1];
}

function jsonEntries(value: unknown, root: string): ListedEntry[] {
	const list = Array.isArray(value) ? value : isRecord(value) ? Object.values(value).find(Array.isArray) : undefined;
	return (list ?? []).flatMap((item: unknown) => {
		if (typeof item === "string") return entryOf(item, root, false);
		if (!isRecord(item)) return [];
		const name = [item.path, item.name].find((each) => typeof each === "string");
		const kind = [item.type, item.kind].find((each) => typeof each === "string");
		const directory = item.isDirectory === true || item.is_dir === true || /^(dir|directory|folder)$/i.test(`${kind}`);
		return typeof name === "string" ? entryOf(name, root, directory) : [];
	});
}

// Lines about the listing itself, not its entries.
const NOISE = [
	/^\s*(---|\.|\.\/)?\s*$/,
	/^<\/?(path|type|entries|files?|directory)\b.*>$/,
	/^total \d+$/,
	/^(Files in|Contents of|Directory listing|Listing|(Listed|Found|Showing) \d+)\b.*$/,
	/^\s*[([].*\b(entries|items?|files|truncated|ignored|more|offset|limit)\b.*[)\]](\s*\.\.\.)?$/i,
	/^\d+ (director(y|ies)|files?|entries|items?)\b/,
	/^(Directory .* is empty\.|No files found\.?|\(empty( directory)?\)|NOTE:.*)$/i,
];

function lineEntries(text: string, root: string): ListedEntry[] {
	const entries: ListedEntry[] = [];
	/** The directories that contain the current line, with their indentation. */
	const open: { indent: number; name: string }[] = [];
	for (const line of text.split("\n")) {
		if (NOISE.some((form) => form.test(line))) continue;
		const { indent, name, directory } = itemOf(line);
		while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop();
		const inside = open.map((each) => each.name).join("/");
		for (const entry of entryOf(inside === "" ? name : `${inside}/${name}`, root, directory)) entries.push(entry);
		if (directory) open.push({ indent, name: relative(name, root) });
	}
	return entries;
}

const LONG = /^\s*([dl-])[rwxsStT-]{9}\S?\s+\d+\s+\S+\s+\S+\s+\S+\s+\S+\s+\S+\s+\S+\s(.+)$/;
const MARKS: readonly (readonly [RegExp, boolean])[] = [
	[/^(?:\[DIR\]|\[D\]|\(d\)|📁|📂)\s*/i, true],
	[/^(?:\[FILE\]|\[F\]|\(f\)|📄)\s*/i, false],
];

function itemOf(line: string): { indent: number; name: string; directory: boolean } {
	const long = LONG.exec(line);
	if (long?.[2]) return { indent: 0, name: long[2].replace(/ -> .*$/, ""), directory: long[1] === "d" };
	const indent = /^[\s│├└─|`]*(?:[-*•] )?/.exec(line)?.[0].length ?? 0;
	let name = line.slice(indent).trimEnd();
	let directory = false;
	for (const [mark, isDirectory] of MARKS) {
		if (mark.test(name)) directory = isDirectory;
		name = name.replace(mark, "");
	}
	const note = / \((directory|folder|file)\b[^()]*\)$/i.exec(name);
	if (note) directory = !/^file$/i.test(note[1] ?? "");
	name = name.slice(0, note?.index).replace(/\s+\[[\d.,]+[kKM]?\]$/, "");
	return { indent, name, directory: directory || /[/\\]$/.test(name) };
}

function entryOf(name: string, root: string, directory: boolean): ListedEntry[] {
	const path = relative(name, root)
		.split(/[/\\]/)
		.filter((part) => part !== "" && part !== ".");
	return path.length === 0 ? [] : [{ path, directory: directory || /[/\\]$/.test(name) }];
}

function relative(name: string, root: string): string {
	const base = root.replace(/[/\\]+$/, "");
	const plain = name.replace(/[/\\]+$/, "");
	if (plain === base) return "";
	return base !== "" && plain.startsWith(`${base}/`) ? plain.slice(base.length + 1) : plain;
}
