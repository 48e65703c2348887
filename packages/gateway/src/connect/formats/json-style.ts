import type { Node } from "jsonc-parser";
import type { Json } from "../edit.ts";
import { indentAt, isFirstOnLine } from "./splice.ts";

/** How a file, or a part of it, is written. */
export interface JsonStyle {
	/** One level of indentation. */
	unit: string;
	colon: string;
	comma: string;
	/** Between a brace and what is in it, on one line. */
	padding: string;
}

/** Longer values get several lines, even if their neighbours have one. */
const LONGEST_LINE = 120;

/** Lists and objects of single values that are not longer than this are written on one line within a long value. */
const SHORT = 60;

export const endOf = ({ offset, length }: Node): number => offset + length;

/** Whether a container is written on one line. An empty one is as the container around it. */
export function isFlat(text: string, node: Node): boolean {
	if (node.children!.length > 0) return !/[\r\n]/.test(text.slice(node.offset, endOf(node)));
	const around = node.parent?.type === "property" ? node.parent.parent : node.parent;
	return around !== undefined && isFlat(text, around);
}

export function styleAt(text: string, root: Node, node: Node): JsonStyle {
	const sample = sampleOf(node) ?? sampleOf(root);
	const [first, second] = sample?.parent?.children ?? [];
	const colon = sample ? text.slice(sample.colonOffset, sample.children![1]!.offset) : ": ";
	const between = first && second ? text.slice(endOf(first), second.offset) : "";
	const spaced = /^:\s*$/.test(colon) ? colon : ": ";
	return {
		unit: unitOf(text, root),
		colon: /[\r\n]/.test(spaced) ? ": " : spaced,
		comma: /^, *$/.test(between) ? between : spaced === ":" ? "," : ", ",
		padding: sample ? paddingOf(text, sample.parent!) : " ",
	};
}

/** A member that shows how members are written: one of the node's own, else one nearby. */
function sampleOf(node: Node): Node | undefined {
	if (node.type === "property") return node;
	for (const child of node.children ?? []) {
		const found = sampleOf(child);
		if (found) return found;
	}
	return undefined;
}

function paddingOf(text: string, container: Node): string {
	const blanks = /^[ \t]*/.exec(text.slice(container.offset + 1))![0];
	return blanks === "" && isFlat(text, container) ? "" : " ";
}

/** What the first child on a line of its own is indented by, compared with the line of its container. */
function unitOf(text: string, node: Node): string {
	for (const child of node.children ?? []) {
		const outer = indentAt(text, node.offset);
		const inner = indentAt(text, child.offset);
		if (isFirstOnLine(text, child.offset) && inner.startsWith(outer) && inner !== outer)
			return inner.slice(outer.length);
		const deeper = unitOf(text, child);
		if (deeper !== DEFAULT_UNIT) return deeper;
	}
	return DEFAULT_UNIT;
}

const DEFAULT_UNIT = "  ";

/** A value on several lines, for a place whose line is indented by `indent`; what is short in it gets one line. */
export function writeLines(value: Json, style: JsonStyle, indent: string, lineEnding: string): string {
	const inner = indent + style.unit;
	const write = (item: Json): string =>
		isShort(item) ? writeFlat(item, style) : writeLines(item, style, inner, lineEnding);
	if (typeof value !== "object" || value === null || Object.keys(value).length === 0) return writeFlat(value, style);
	const isList = Array.isArray(value);
	const parts = isList
		? value.map(write)
		: Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}${style.colon}${write(item)}`);
	const body = parts.map((part) => lineEnding + inner + part).join(",");
	return `${isList ? "[" : "{"}${body}${lineEnding}${indent}${isList ? "]" : "}"}`;
}

/** Whether a list or object holds only a few single values. */
function isShort(value: Json): boolean {
	const parts = Object.values(value ?? {}) as Json[];
	return JSON.stringify(value).length <= SHORT && parts.every((part) => typeof part !== "object");
}

/** A value on one line. */
export function writeFlat(value: Json, style: JsonStyle): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const parts = Array.isArray(value)
		? value.map((item) => writeFlat(item, style))
		: Object.entries(value).map(([key, item]) => JSON.stringify(key) + style.colon + writeFlat(item, style));
	if (Array.isArray(value)) return `[${parts.join(style.comma)}]`;
	return parts.length === 0 ? "{}" : `{${style.padding}${parts.join(style.comma)}${style.padding}}`;
}

/** Whether a new child of a container goes on one line: it is short, and so are the container or its children. */
export function fitsBeside(text: string, container: Node, written: string): boolean {
	if (written.length > LONGEST_LINE) return false;
	const inner = container
		.children!.map((child) => (child.type === "property" ? child.children![1]! : child))
		.filter(({ children }) => children !== undefined && children.length > 0);
	return isFlat(text, container) || (inner.length > 0 && inner.every((node) => isFlat(text, node)));
}
