import {
	type CST,
	type Document,
	isCollection,
	isMap,
	isPair,
	isScalar,
	isSeq,
	type Node,
	type Pair,
	parseDocument,
	type YAMLMap,
	type YAMLSeq,
} from "yaml";
import { EditError, type Path } from "../edit.ts";
import { lineStart } from "./splice.ts";

export function readYaml(text: string): Document.Parsed {
	const document = parseDocument(text, { keepSourceTokens: true });
	const [error] = document.errors;
	if (error) throw new Error(error.message);
	return document;
}

/** A list or an object; anything else is not edited. */
export type YamlContainer = YAMLMap<Node, Node | null> | YAMLSeq<Node>;

/** A part of a list or an object: an item, or a key with its value. */
export interface YamlChild {
	/** The dash of an item, or the key. */
	from: number;
	/** The end of the value, without a line ending. */
	to: number;
	value: Node | null;
}

export function nodeAt(root: Node | null, path: Path): Node | null {
	return path.reduce((node: Node | null, step) => childAt(containerOf(node), step).value, root);
}

export function containerOf(node: Node | null): YamlContainer {
	if (isMap(node) || isSeq(node)) return node as YamlContainer;
	throw new EditError("not a list or an object");
}

export function childAt(container: YamlContainer, step: string | number): YamlChild {
	const index = isSeq(container)
		? (step as number)
		: container.items.findIndex(({ key }) => isScalar(key) && key.value === step);
	const child = childrenOf(container)[index];
	if (!child) throw new EditError(`no ${step}`);
	return child;
}

export function childrenOf(container: YamlContainer): YamlChild[] {
	return container.items.map((item, index) =>
		isPair(item) ? memberOf(item as Pair<Node, Node | null>) : itemOf(container, item as Node, index),
	);
}

function memberOf({ key, value }: Pair<Node, Node | null>): YamlChild {
	return { from: key.range![0], to: endOf(value ?? key), value };
}

function itemOf({ srcToken, flow }: YamlContainer, node: Node, index: number): YamlChild {
	const token = (srcToken as CST.BlockSequence | undefined)?.items?.[index];
	const dash = token?.start?.find(({ type }) => type === "seq-item-ind");
	const from = !flow && dash ? dash.offset : node.range![0];
	return { from, to: endOf(node), value: node };
}

/** The end of what a node says. Block scalars and collections otherwise reach into the next line. */
function endOf(node: Node): number {
	const [from, to] = node.range!;
	if (isScalar(node) && isBlockText(node)) return to;
	if (!isCollection(node) || node.flow) return Math.max(from, to);
	const last = childrenOf(node as YamlContainer).at(-1);
	return last ? last.to : to;
}

export const isBlockText = (node: unknown): boolean =>
	isScalar(node) && (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED");

/** How far a position is from the start of its line. */
export const columnOf = (text: string, at: number): number => at - lineStart(text, at);
