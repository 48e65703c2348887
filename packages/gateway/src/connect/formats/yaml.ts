import {
	type Document,
	isMap,
	isNode,
	isScalar,
	isSeq,
	type Pair,
	parseDocument,
	stringify,
	type YAMLMap,
	type YAMLSeq,
} from "yaml";
import type { Edit, Json } from "../edit.ts";

export function parseYaml(text: string): Json {
	const document = read(text);
	return document.toJS() as Json;
}

function read(text: string): Document.Parsed {
	const document = parseDocument(text);
	const [error] = document.errors;
	if (error) throw new Error(error.message);
	return document;
}

/**
 * Edits the text itself at the positions that the parser reports, because a document that is printed again loses its
 * blank lines and its quoting. Only the outermost level is edited like this; the library does the rest.
 */
export function editYaml(text: string, edits: readonly Edit[]): string {
	let edited = text;
	for (const edit of edits) edited = editText(edited, edit) ?? editDocument(edited, edit);
	return edited;
}

function editText(text: string, edit: Edit): string | undefined {
	const [name, index] = edit.path;
	const root = read(text).contents as YAMLMap | null;
	if (root !== null && (!isMap(root) || root.flow)) return undefined;
	const pair = root?.items.find(({ key }) => isScalar(key) && key.value === name) as Pair | undefined;
	if (edit.op === "insert" && edit.path.length === 1)
		return pair ? insertItem(text, pair, edit.value) : append(text, { [String(name)]: [edit.value] });
	if (edit.op === "set" && edit.path.length === 1) {
		return pair ? replaceValue(text, pair, edit.value) : append(text, { [String(name)]: edit.value });
	}
	if (edit.op === "remove" && pair) {
		if (edit.path.length === 1) return removePair(text, pair);
		if (edit.path.length === 2) return removeItem(text, pair, index as number);
	}
	return undefined;
}

function editDocument(text: string, edit: Edit): string {
	const document = read(text);
	if (edit.op === "remove") document.deleteIn(edit.path);
	else if (edit.op === "set") document.setIn(edit.path, document.createNode(edit.value));
	else {
		const list = document.getIn(edit.path);
		if (isSeq(list)) list.items.unshift(document.createNode(edit.value));
		else document.setIn(edit.path, document.createNode([edit.value]));
	}
	return document.toString({ lineWidth: 0 });
}

/** Appends before the marker that ends a document, if there is one. */
function append(text: string, entry: { [key: string]: Json }): string {
	const end = /^\.\.\.\s*$/m.exec(text)?.index ?? text.length;
	const before = text.slice(0, end);
	const gap = before === "" || before.endsWith("\n") ? "" : "\n";
	return `${before}${gap}${stringify(entry, { lineWidth: 0 })}${text.slice(end)}`;
}

function replaceValue(text: string, { value: node }: Pair, value: Json): string | undefined {
	if (!isScalar(node) || !node.range || isBlock(node.type) || typeof value === "object") return undefined;
	const [from, to] = node.range;
	// A key without a value: the text goes after its colon.
	const gap = from === to && !/\s$/.test(text.slice(0, from)) ? " " : "";
	return text.slice(0, from) + gap + stringify(value, { lineWidth: 0 }).trimEnd() + text.slice(to);
}

const isBlock = (type: unknown) => type === "BLOCK_LITERAL" || type === "BLOCK_FOLDED";

function insertItem(text: string, { value: list }: Pair, value: Json): string | undefined {
	const first = isSeq(list) && !list.flow ? itemStart(text, list, 0) : undefined;
	if (first === undefined) return undefined;
	const indent = " ".repeat(first - lineStart(text, first));
	const item = stringify([value], { lineWidth: 0 })
		.trimEnd()
		.split("\n")
		.map((line) => indent + line)
		.join("\n");
	const at = lineStart(text, first);
	return `${text.slice(0, at)}${item}\n${text.slice(at)}`;
}

function removeItem(text: string, { value: list }: Pair, index: number): string | undefined {
	if (!isSeq(list) || list.flow || list.items.length < 2) return undefined;
	const start = itemStart(text, list, index);
	const node = list.items[index];
	if (start === undefined || !isNode(node) || !node.range) return undefined;
	return cutLines(text, start, node.range[1]);
}

function removePair(text: string, { key, value }: Pair): string | undefined {
	if (!isScalar(key) || !key.range) return undefined;
	const end = isNode(value) && value.range ? value.range[1] : key.range[1];
	return cutLines(text, key.range[0], end);
}

/** The position of an item's dash. */
function itemStart(text: string, list: YAMLSeq, index: number): number | undefined {
	const node = list.items[index];
	if (!isNode(node) || !node.range) return undefined;
	const dash = text.lastIndexOf("-", node.range[0] - 1);
	const isAlone = dash >= 0 && /^[ ]*$/.test(text.slice(lineStart(text, dash), dash));
	return isAlone && /^-\s*$/.test(text.slice(dash, node.range[0])) ? dash : undefined;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;

function cutLines(text: string, from: number, to: number): string {
	// The range of a block ends after its last line break.
	const end = text[to - 1] === "\n" ? to : text.indexOf("\n", to) + 1 || text.length;
	return text.slice(0, lineStart(text, from)) + text.slice(end);
}
