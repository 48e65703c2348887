import {
	createScanner,
	type Node,
	type ParseError,
	parse,
	parseTree,
	printParseErrorCode,
	stripComments,
} from "jsonc-parser";
import type { Json, Path } from "../edit.ts";
import { endOf, fitsBeside, isFlat, styleAt, writeFlat, writeLines } from "./json-style.ts";
import { deletion, indentAt, inkEnd, insertion, isFirstOnLine, lineEnd, lineEnding, type Splice } from "./splice.ts";
import type { Step } from "./step.ts";

const OPTIONS = { allowTrailingComma: true };

/** JSON as these clients read it: with comments and trailing commas. A file of comments alone is empty. */
export const parseJson = (text: string): Json => parseOr(text, {});

/** The same for a file that is a list. */
export const parseJsonList = (text: string): Json => parseOr(text, []);

function parseOr(text: string, empty: Json): Json {
	if (isBlank(text)) return empty;
	const errors: ParseError[] = [];
	const value: Json = parse(text, errors, OPTIONS);
	const [first] = errors;
	if (!first) return value;
	const line = text.slice(0, first.offset).split("\n").length;
	throw new Error(`${printParseErrorCode(first.error)} in line ${line}`);
}

const isBlank = (text: string): boolean => stripComments(text).trim() === "";

/** Makes an empty file one that has an object. */
export const startJson = (text: string): string => startWith(text, "{}");

export const startJsonList = (text: string): string => startWith(text, "[]");

function startWith(text: string, brackets: string): string {
	if (!isBlank(text)) return text;
	const at = inkEnd(text, text.length);
	const ending = lineEnding(text, at);
	return `${text.slice(0, at)}${at > 0 ? ending : ""}${brackets}${text.slice(at) || ending}`;
}

export function editJson(text: string, step: Step): Splice[] {
	const root = parseTree(text, [], OPTIONS)!;
	const { path } = step;
	if (step.op === "prepend") return prepend(text, root, nodeAt(root, path), step.value);
	const container = nodeAt(root, path.slice(0, -1));
	if (step.op === "add") return append(text, root, container, String(path.at(-1)), step.value);
	const child = childOf(container, path.at(-1)!);
	return step.op === "remove" ? remove(text, container, child) : replace(text, root, container, child, step.value);
}

function nodeAt(root: Node, path: Path): Node {
	return path.reduce((node: Node, step) => valueIn(childOf(node, step)), root);
}

/** An item of a list, or a member of an object; of members with the same key the last one counts. */
function childOf(node: Node, step: string | number): Node {
	if (node.type === "array") return node.children![step as number]!;
	return node.children!.findLast(({ children }) => children![0]!.value === step)!;
}

const valueIn = (child: Node): Node => (child.type === "property" ? child.children![1]! : child);

function replace(text: string, root: Node, container: Node, child: Node, value: Json): Splice[] {
	const old = valueIn(child);
	const style = styleAt(text, root, container);
	const isWide = typeof value === "object" && !isFlat(text, container);
	const ending = lineEnding(text, old.offset);
	const written = isWide ? writeLines(value, style, indentAt(text, child.offset), ending) : writeFlat(value, style);
	return [{ from: old.offset, to: endOf(old), text: written }];
}

/** Adds a member after the last one, and after all comments that follow it. */
function append(text: string, root: Node, container: Node, key: string, value: Json): Splice[] {
	const { children } = container;
	const write = writer(text, root, container, `${JSON.stringify(key)}${styleAt(text, root, container).colon}`, value);
	const last = children!.at(-1);
	if (!last) return fill(text, root, container, write);
	const end = inkEnd(text, endOf(container) - 1);
	const comma = commaAfter(text, endOf(last));
	if (isNarrow(text, container)) {
		const indent = indentAt(text, container.offset);
		if (comma !== undefined) return [insertion(end, ` ${write(indent)},`)];
		return [insertion(end, styleAt(text, root, container).comma + write(indent))];
	}
	const indent = isFirstOnLine(text, last.offset) ? indentAt(text, last.offset) : deeper(text, root, container);
	const line = lineEnding(text, end) + indent + write(indent);
	if (comma !== undefined) return [insertion(end, `${line},`)];
	return [insertion(endOf(last), ","), insertion(end, line)];
}

/** Puts an item before the first one, and before the comments above it. */
function prepend(text: string, root: Node, list: Node, value: Json): Splice[] {
	const write = writer(text, root, list, "", value);
	const [first] = list.children!;
	if (!first) return fill(text, root, list, write);
	if (!isFirstOnLine(text, first.offset)) {
		const indent = indentAt(text, list.offset);
		return [insertion(first.offset, write(indent) + styleAt(text, root, list).comma)];
	}
	// A comment beside the bracket is about the list.
	const at = inkEnd(text, lineEnd(text, list.offset));
	const indent = indentAt(text, first.offset);
	return [insertion(at, `${lineEnding(text, first.offset)}${indent}${write(indent)},`)];
}

/** The first child of an empty container. */
function fill(text: string, root: Node, container: Node, write: (indent: string) => string): Splice[] {
	const close = endOf(container) - 1;
	const end = inkEnd(text, close);
	const rest = text.slice(end, close);
	if (isFlat(text, container)) {
		const { padding } = styleAt(text, root, container);
		const inner = container.type === "array" ? "" : padding;
		const indent = indentAt(text, container.offset);
		return [insertion(end, inner + write(indent) + (rest === "" ? inner : ""))];
	}
	const ending = lineEnding(text, container.offset);
	const indent = deeper(text, root, container);
	const line = ending + indent + write(indent);
	if (rest.includes("\n")) return [insertion(end, line)];
	return [{ from: end, to: close, text: line + ending + indentAt(text, container.offset) }];
}

const deeper = (text: string, root: Node, container: Node): string =>
	indentAt(text, container.offset) + styleAt(text, root, container).unit;

/** Whether the children are on the line of the bracket. The last of them may span several lines. */
function isNarrow(text: string, container: Node): boolean {
	const [first] = container.children!;
	const rest = text.slice(endOf(container.children!.at(-1)!), endOf(container));
	return !isFirstOnLine(text, first!.offset) && !rest.includes("\n");
}

/** Writes a child for a place whose line is indented by so much. A file on one line stays on one line. */
function writer(text: string, root: Node, container: Node, head: string, value: Json) {
	const style = styleAt(text, root, container);
	const flat = head + writeFlat(value, style);
	const isOneLine = isFlat(text, root) || fitsBeside(text, container, flat);
	const ending = lineEnding(text, container.offset);
	return (indent: string): string => (isOneLine ? flat : head + writeLines(value, style, indent, ending));
}

/** Removes a child with its comma, and its lines if nothing else is on them. */
function remove(text: string, container: Node, child: Node): Splice[] {
	const siblings = container.children!;
	const former = siblings[siblings.indexOf(child) - 1];
	const comma = commaAfter(text, endOf(child));
	const end = comma === undefined ? endOf(child) : comma + 1;
	const formerComma = comma === undefined && former ? commaAfter(text, endOf(former)) : undefined;
	const cut = lineCut(text, container, child.offset, end);
	if (formerComma === undefined) return [cut];
	// On one line, only the comma may stand between the two.
	if (text.slice(formerComma + 1, cut.from).trim() === "" && cut.from >= formerComma && !isOwnLine(text, child, end))
		return [deletion(formerComma, cut.to)];
	return [deletion(formerComma, formerComma + 1), cut];
}

function lineCut(text: string, container: Node, from: number, to: number): Splice {
	const isOnly = container.children!.length === 1;
	const [inner, close] = [container.offset + 1, endOf(container) - 1];
	const rest = text.slice(inner, from) + text.slice(to, close);
	if (isOnly && rest.trim() === "") return deletion(inner, close);
	const end = lineEnd(text, to);
	if (isFirstOnLine(text, from) && text.slice(to, end).trim() === "")
		return deletion(inkEndOfLineBefore(text, from), end);
	const blanks = /^[ \t]*/.exec(text.slice(to))![0].length;
	return deletion(from, text[to - 1] === "," ? to + blanks : to);
}

const isOwnLine = (text: string, child: Node, to: number): boolean =>
	isFirstOnLine(text, child.offset) && text.slice(to, lineEnd(text, to)).trim() === "";

/** The end of the line before, so that its line ending goes and that of the removed line stays. */
function inkEndOfLineBefore(text: string, at: number): number {
	const feed = text.lastIndexOf("\n", at - 1);
	return feed > 0 && text[feed - 1] === "\r" ? feed - 1 : Math.max(feed, 0);
}

/** Where the comma after a child is; undefined if there is none. */
function commaAfter(text: string, at: number): number | undefined {
	const scanner = createScanner(text, true);
	scanner.setPosition(at);
	scanner.scan();
	const offset = scanner.getTokenOffset();
	return text[offset] === "," ? offset : undefined;
}
