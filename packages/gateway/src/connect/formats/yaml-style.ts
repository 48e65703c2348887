import {
	Document,
	isCollection,
	isMap,
	isScalar,
	isSeq,
	type Node,
	stringify,
	type ToStringOptions,
	visit,
} from "yaml";
import type { Json } from "../edit.ts";
import { childrenOf, columnOf, type YamlContainer } from "./yaml-nodes.ts";

/** How a file is written, as options of the library that prints values. */
export type YamlStyle = ToStringOptions & { indent: number };

/** The style of a container's neighbours: what is in it, else what is in the whole file. */
export function styleOf(text: string, root: Node | null, near: Node | null): YamlStyle {
	const lists = blockLists(text, root);
	const own = lists.find(({ list }) => list === near) ?? lists[0];
	return {
		lineWidth: 0,
		indent: unitOf(text, root),
		indentSeq: own ? own.isIndented : true,
		flowCollectionPadding: hasPadding(text, root),
		...quotesOf(near ?? root),
	};
}

/** A value as lines. Lists of single values are written on one line if the neighbours have such. */
export function writeBlock(value: Json, style: YamlStyle, near: Node | null): string[] {
	const document = new Document(value);
	if (hasFlowList(near)) {
		visit(document, {
			Seq(_, list) {
				list.flow = list.items.every(isScalar);
			},
		});
	}
	return document.toString(style).trimEnd().split("\n");
}

function hasFlowList(near: Node | null): boolean {
	let found = false;
	visit(near, {
		Seq(_, { flow }) {
			found ||= flow === true;
		},
	});
	return found;
}

/** A value on one line. In a file that is written like JSON, it is JSON. */
export function writeFlow(value: Json, style: YamlStyle, near: Node | null): string {
	const [first] = isMap(near) ? near.items : [];
	if (isScalar(first?.key) && first.key.type === "QUOTE_DOUBLE") return JSON.stringify(value);
	return stringify(value, { ...style, collectionStyle: "flow" }).trimEnd();
}

function blockLists(text: string, root: Node | null): { list: Node; isIndented: boolean }[] {
	const found: { list: Node; isIndented: boolean }[] = [];
	visit(root, {
		Pair(_, { key, value }) {
			if (!isSeq(value) || value.flow || value.items.length === 0) return;
			const [first] = childrenOf(value as YamlContainer);
			const keyColumn = columnOf(text, (key as Node).range![0]);
			found.push({ list: value, isIndented: columnOf(text, first!.from) > keyColumn });
		},
	});
	return found;
}

const DEFAULT_UNIT = 2;

/** What the first object or list within another is indented by. */
function unitOf(text: string, root: Node | null): number {
	let unit: number | undefined;
	visit(root, {
		Pair(_, { key, value }) {
			if (!isCollection(value) || value.flow || value.items.length === 0) return;
			const [first] = childrenOf(value as YamlContainer);
			const width = columnOf(text, first!.from) - columnOf(text, (key as Node).range![0]);
			if (width < 1) return;
			unit = width;
			return visit.BREAK;
		},
	});
	return unit ?? DEFAULT_UNIT;
}

/** Quotes are used if all texts nearby have them. */
function quotesOf(near: Node | null): ToStringOptions {
	const types = new Set<unknown>();
	visit(near, {
		Scalar(key, { value, type }) {
			if (key !== "key" && typeof value === "string") types.add(type);
		},
	});
	const [only] = types;
	if (types.size !== 1 || (only !== "QUOTE_DOUBLE" && only !== "QUOTE_SINGLE")) return {};
	return { defaultStringType: only, defaultKeyType: "PLAIN" };
}

function hasPadding(text: string, root: Node | null): boolean {
	let padded: boolean | undefined;
	visit(root, {
		Collection(_, { flow, items, range }) {
			if (flow && items.length > 0) padded ??= /\s/.test(text[range![0] + 1]!);
		},
	});
	return padded ?? true;
}
