// Settings files with random content in a random layout.
import fc from "fast-check";
import type { Json } from "../../src/connect/edit.ts";

type JsonObject = { [key: string]: Json };

/** Decides about the layout: the next of some random numbers, in a circle. */
class Tape {
	#at = 0;
	#comments = 0;
	readonly #numbers: readonly number[];

	constructor(numbers: readonly number[]) {
		this.#numbers = numbers;
	}

	/** A number below `count`. */
	pick(count: number): number {
		return this.#numbers[this.#at++ % this.#numbers.length]! % count;
	}

	/** Rarely a comment, each with a text of its own. */
	comment(mark: string): string {
		return this.pick(4) === 0 ? `${mark} note ${++this.#comments}` : "";
	}
}

const isObject = (value: Json): value is JsonObject =>
	typeof value === "object" && value !== null && !Array.isArray(value);

function writeJson(value: Json, tape: Tape, unit: string, indent: string, isFlat: boolean): string {
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const [open, close] = Array.isArray(value) ? "[]" : "{}";
	const isLine = isFlat || tape.pick(3) === 0;
	const inner = isLine ? indent : indent + unit;
	const parts = Object.entries(value).map(
		([key, item]) =>
			(Array.isArray(value) ? "" : `${JSON.stringify(key)}: `) + writeJson(item, tape, unit, inner, isLine),
	);
	if (parts.length === 0) return `${open}${close}`;
	const last = tape.pick(3) === 0 ? "," : "";
	if (isLine) return `${open} ${parts.join(", ")}${last} ${close}`;
	const lines = parts.flatMap((part, index) => {
		const above = tape.comment("//");
		const end = index < parts.length - 1 ? "," : last;
		return [...(above ? [inner + above] : []), `${inner}${part}${end} ${tape.comment("//")}`.trimEnd()];
	});
	const dangling = tape.comment("//");
	return [open, ...lines, ...(dangling ? [inner + dangling] : []), indent + close].join("\n");
}

function writeToml(root: JsonObject, tape: Tape): string {
	const literal = (value: Json): string => {
		if (isObject(value)) return `{ ${entries(value).join(", ")} }`;
		return Array.isArray(value) ? `[${value.map(literal).join(", ")}]` : JSON.stringify(value);
	};
	const entries = (value: JsonObject) => Object.entries(value).map(([key, item]) => `${key} = ${literal(item)}`);
	const statements = (value: JsonObject) =>
		entries(value).flatMap((line) => [
			...[tape.comment("#")].filter(Boolean),
			`${line} ${tape.comment("#")}`.trimEnd(),
		]);
	const tables = (path: string, value: JsonObject): string[] => {
		if (tape.pick(4) === 0) return [];
		const below = Object.entries(value).filter(([, item]) => isObject(item) && tape.pick(2) === 0);
		const own = Object.fromEntries(Object.entries(value).filter(([key]) => !below.some(([name]) => name === key)));
		const head = [...(tape.pick(2) === 0 ? [""] : []), ...[tape.comment("#")].filter(Boolean), `[${path}]`];
		return [
			...head,
			...statements(own),
			...below.flatMap(([key, item]) => tables(`${path}.${key}`, item as JsonObject)),
		];
	};
	const header = tape.comment("#");
	const leaves = Object.fromEntries(Object.entries(root).filter(([, item]) => !isObject(item)));
	const sections = Object.entries(root).flatMap(([key, item]) => (isObject(item) ? tables(key, item) : []));
	return [...(header ? [header, ""] : []), ...statements(leaves), ...sections].join("\n");
}

function writeYaml(value: Json, tape: Tape, unit: number, indent: string): string[] {
	const flow = (item: Json): string => {
		if (isObject(item))
			return `{${Object.entries(item)
				.map(([key, inner]) => `${key}: ${flow(inner)}`)
				.join(", ")}}`;
		return Array.isArray(item) ? `[${item.map(flow).join(", ")}]` : JSON.stringify(item);
	};
	const isFlow = (item: Json) =>
		typeof item !== "object" || item === null || Object.keys(item).length === 0 || tape.pick(4) === 0;
	const isList = Array.isArray(value);
	return Object.entries(value as JsonObject).flatMap(([key, item]) => {
		const above = tape.comment("#");
		const lines = above ? [indent + above] : [];
		const head = isList ? "-" : `${key}:`;
		if (isFlow(item)) return [...lines, `${indent}${head} ${flow(item)} ${tape.comment("#")}`.trimEnd()];
		if (isList) {
			const [first = "", ...rest] = writeYaml(item, new Tape([1]), unit, `${indent}  `);
			return [...lines, `${indent}- ${first.trimStart()}`, ...rest];
		}
		const inner = Array.isArray(item) && tape.pick(2) === 0 ? indent : indent + " ".repeat(unit);
		return [...lines, indent + head, ...writeYaml(item, tape, unit, inner)];
	});
}

const key = fc.constantFrom("alpha", "beta", "gamma", "delta", "cursorwire");
const leaf = fc.oneof(
	fc.constantFrom("x", "it's", "a # b", "// no", "ü", "{"),
	fc.integer({ min: 0, max: 99 }),
	fc.boolean(),
);
const list = fc.array(leaf, { maxLength: 3 });
const record = fc.dictionary(key, fc.oneof(leaf, list, fc.dictionary(key, leaf, { maxKeys: 3 })), { maxKeys: 4 });
const tape = fc.array(fc.nat(59), { minLength: 20, maxLength: 60 }).map((numbers) => new Tape(numbers));
const ending = fc.constantFrom("", "\n", "\r\n");

/** Layout that all formats have: the line ending, and whether the last line has one. */
const finish = (text: string, end: string): string =>
	(end === "\r\n" ? text.replaceAll("\n", "\r\n") : text) + (text === "" ? "" : end);

export const openCodeFile = fc
	.tuple(
		fc.record(
			{ theme: leaf, provider: fc.dictionary(key, record, { maxKeys: 3 }), model: fc.constant("a/b"), mcp: record },
			{ requiredKeys: [] },
		),
		tape,
		fc.constantFrom("\t", "  ", "    "),
		ending,
	)
	.map(([value, layout, unit, end]) => finish(writeJson(value as Json, layout, unit, "", false), end));

export const codexFile = fc
	.tuple(
		fc.record(
			{
				notify: list,
				model: fc.constant("o3"),
				model_providers: fc.dictionary(key, record, { maxKeys: 3 }),
				tui: record,
			},
			{ requiredKeys: [] },
		),
		tape,
		ending,
	)
	.map(([value, layout, end]) => finish(writeToml(value as JsonObject, layout), end));

export const continueFile = fc
	.tuple(
		fc.record(
			{ name: leaf, models: fc.array(record, { maxLength: 3 }), rules: list, data: record },
			{ requiredKeys: [] },
		),
		tape,
		fc.constantFrom(2, 4),
		ending,
	)
	.map(([value, layout, unit, end]) => finish(writeYaml(value as Json, layout, unit, "").join("\n"), end));
