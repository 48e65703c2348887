import { isCollection, isMap, isScalar, isSeq, type Node } from "yaml";
import { EditError, type Json, type Path } from "../edit.ts";
import {
	commentsAbove,
	deletion,
	indentAt,
	inkEnd,
	insertion,
	isFirstOnLine,
	lineEnd,
	lineEnding,
	lineStart,
	nextLine,
	type Splice,
} from "./splice.ts";
import type { Step } from "./step.ts";
import {
	childAt,
	childrenOf,
	columnOf,
	containerOf,
	isBlockText,
	nodeAt,
	readYaml,
	type YamlChild,
	type YamlContainer,
} from "./yaml-nodes.ts";
import { styleOf, writeBlock, writeFlow } from "./yaml-style.ts";

export function parseYaml(text: string): Json {
	return readYaml(text).toJS() as Json;
}

/** Edits the text at the places that the parser reports: a document that is printed again loses its layout. */
export function editYaml(text: string, step: Step): Splice[] {
	const root = readYaml(text).contents as Node | null;
	const { path } = step;
	const file = new YamlFile(text, root);
	if (step.op === "prepend") return file.prepend(path, step.value);
	if (step.op === "add") return file.add(path, step.value);
	return step.op === "remove" ? file.remove(path) : file.replace(path, step.value);
}

class YamlFile {
	readonly #text: string;
	readonly #root: Node | null;

	constructor(text: string, root: Node | null) {
		this.#text = text;
		// A document that says nothing is an empty text.
		this.#root = isScalar(root) && root.value === null ? null : root;
	}

	add(path: Path, value: Json): Splice[] {
		const node = nodeAt(this.#root, path.slice(0, -1));
		const entry = { [String(path.at(-1))]: value };
		if (node === null) return this.#appendLines(this.#block(entry, null));
		const container = containerOf(node);
		if (container.items.length === 0) return this.#fill(path.slice(0, -1), container, entry);
		if (container.flow) return this.#addFlow(container, this.#flow(entry, container).slice(1, -1).trim());
		const lines = this.#block(entry, container);
		if (path.length === 1) return this.#appendLines(lines);
		const last = childrenOf(container).at(-1)!;
		return this.#after(last, lines, " ".repeat(columnOf(this.#text, last.from)));
	}

	/** Before the first item and the comments directly above it. */
	prepend(path: Path, value: Json): Splice[] {
		const list = containerOf(nodeAt(this.#root, path));
		const [first] = childrenOf(list);
		if (!first) return this.#fill(path, list, [value]);
		if (list.flow) {
			const isOwnLine = isFirstOnLine(this.#text, first.from);
			const gap = isOwnLine ? this.#ending(first.from) + indentAt(this.#text, first.from) : " ";
			return [insertion(first.from, `${this.#flow(value, first.value)},${gap}`)];
		}
		if (!isFirstOnLine(this.#text, first.from)) throw new EditError("a list within a line");
		const isFlow = isCollection(first.value) && first.value.flow === true;
		const lines = isFlow ? [`- ${this.#flow(value, first.value)}`] : this.#block([value], list);
		const indent = indentAt(this.#text, first.from);
		const ending = this.#ending(first.from);
		const at = commentsAbove(this.#text, lineStart(this.#text, first.from));
		return [insertion(at, lines.map((line) => indent + line + ending).join(""))];
	}

	replace(path: Path, value: Json): Splice[] {
		const container = containerOf(nodeAt(this.#root, path.slice(0, -1)));
		const child = childAt(container, path.at(-1)!);
		const old = child.value;
		if (!container.flow && typeof value === "object" && value !== null) return this.#replaceByBlock(child, value);
		if (old === null || old.range![0] === old.range![1])
			return [insertion(inkEnd(this.#text, child.to), ` ${this.#flow(value, container)}`)];
		if (isCollection(old) && !old.flow) throw new EditError("a block cannot become a single value");
		const to = isBlockText(old) ? inkEnd(this.#text, old.range![1]) : old.range![1];
		return [{ from: old.range![0], to, text: this.#quotedAs(old, value, container) }];
	}

	remove(path: Path): Splice[] {
		const container = containerOf(nodeAt(this.#root, path.slice(0, -1)));
		const child = childAt(container, path.at(-1)!);
		const siblings = childrenOf(container);
		if (container.flow)
			return [
				this.#cutFlow(
					container,
					siblings,
					siblings.findIndex(({ from }) => from === child.from),
				),
			];
		if (siblings.length === 1 && path.length > 1) {
			const from = inkEnd(this.#text, child.from);
			return [{ from, to: this.#lastLineEnd(child), text: isSeq(container) ? " []" : " {}" }];
		}
		if (!isFirstOnLine(this.#text, child.from)) throw new EditError("the key shares its line");
		return [this.#cutLines(child)];
	}

	#flow(value: Json, near: Node | null): string {
		return writeFlow(value, styleOf(this.#text, this.#root, near), near);
	}

	#block(value: Json, near: Node | null): string[] {
		return writeBlock(value, styleOf(this.#text, this.#root, near), near);
	}

	#ending(at: number): string {
		return lineEnding(this.#text, at);
	}

	/** The end of the line on which a child ends. */
	#lastLineEnd({ to }: YamlChild): number {
		return this.#text[to - 1] === "\n" ? lineEnd(this.#text, lineStart(this.#text, to - 1)) : lineEnd(this.#text, to);
	}

	/** At the end of the file, or before the marker that ends a document. */
	#appendLines(lines: string[]): Splice[] {
		const text = this.#text;
		const at = /^\.\.\.\s*$/m.exec(text)?.index ?? text.length;
		const ending = this.#ending(at);
		const column = isMap(this.#root) ? " ".repeat(columnOf(text, this.#root.range![0])) : "";
		const added = lines.map((line) => column + line).join(ending);
		const needsBreak = at > 0 && text[at - 1] !== "\n";
		return [insertion(at, needsBreak ? ending + added : added + ending)];
	}

	#after(child: YamlChild, lines: string[], indent: string): Splice[] {
		const at = this.#lastLineEnd(child);
		return [insertion(at, lines.map((line) => this.#ending(at) + indent + line).join(""))];
	}

	/** An empty list or object has only brackets; in a block, lines replace them. */
	#fill(path: Path, container: YamlContainer, value: Json): Splice[] {
		const [from, to] = container.range!;
		const parent = path.length === 0 ? undefined : containerOf(nodeAt(this.#root, path.slice(0, -1)));
		if (parent?.flow) return [{ from, to, text: this.#flow(value, parent) }];
		if (!parent) return [{ from, to, text: this.#block(value, null).join(this.#ending(from)) }];
		return this.#replaceByBlock(childAt(parent, path.at(-1)!), value);
	}

	/** Comments on the line of the key stay there. */
	#replaceByBlock(child: YamlChild, value: Json): Splice[] {
		const text = this.#text;
		const [from, to] = child.value?.range ?? [child.to, child.to];
		if (isCollection(child.value) && child.value.items.length > 0)
			throw new EditError("a collection that is not empty");
		const style = styleOf(text, this.#root, null);
		const inner = Array.isArray(value) && !style.indentSeq ? 0 : style.indent;
		const indent = " ".repeat(columnOf(text, child.from) + inner);
		const at = lineEnd(text, to);
		const lines = this.#block(value, null).map((line) => this.#ending(at) + indent + line);
		return [...(from === to ? [] : [deletion(inkEnd(text, from), to)]), insertion(at, lines.join(""))];
	}

	#addFlow(container: YamlContainer, entry: string): Splice[] {
		const last = childrenOf(container).at(-1)!;
		const end = inkEnd(this.#text, container.range![1] - 1);
		const isOwnLine = isFirstOnLine(this.#text, last.from);
		const gap = isOwnLine ? this.#ending(last.from) + indentAt(this.#text, last.from) : " ";
		if (this.#text[end - 1] === ",") return [insertion(end, `${gap}${entry},`)];
		return [insertion(last.to, `,${gap}${entry}`)];
	}

	#quotedAs(old: Node, value: Json, container: YamlContainer): string {
		const type = isScalar(old) && typeof value === "string" ? old.type : undefined;
		if (type === "QUOTE_DOUBLE") return JSON.stringify(value);
		if (type === "QUOTE_SINGLE" && !/[\r\n]/.test(String(value))) return `'${String(value).replaceAll("'", "''")}'`;
		return container.flow ? this.#flow([value], null).slice(1, -1).trim() : this.#flow(value, null);
	}

	#cutFlow({ range }: YamlContainer, siblings: YamlChild[], index: number): Splice {
		const { from, to } = siblings[index]!;
		const [former, next] = [siblings[index - 1], siblings[index + 1]];
		if (next) return deletion(from, next.from);
		return former ? deletion(former.to, to) : deletion(range![0] + 1, range![1] - 1);
	}

	#cutLines(child: YamlChild): Splice {
		const text = this.#text;
		const from = lineStart(text, child.from);
		const to = nextLine(text, this.#lastLineEnd(child));
		// A file whose last line has no line ending keeps none.
		if (to === text.length && !text.endsWith("\n") && from > 0)
			return deletion(lineEnd(text, lineStart(text, from - 1)), to);
		return deletion(from, to);
	}
}
