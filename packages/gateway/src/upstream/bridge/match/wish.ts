import type { ToolDefinition } from "../../../turn/request.ts";
import { alternatives, choicesOf, descriptionOf, type Schema } from "./schema.ts";
import { compactName } from "./words.ts";

/** A parameter of a client tool, seen as a place for a value. */
export interface Slot {
	name: string;
	schema: Schema;
	tool: ToolDefinition;
}

/**
 * One thing a request has to express. `must`: without it the call would mean something else, so a tool that cannot take
 * it does not match. `want`: passed if the tool can take it. `spare`: only for tools that require it.
 */
export interface Wish {
	need: "must" | "want" | "spare";
	/** Parameter names in compact spelling, most specific first. */
	names: readonly string[];
	/** Possible forms of the value, best first. The first one that fits the slot's schema is used. */
	values: (slot: Slot) => readonly unknown[];
	/** Used in place of `values` for parameters such as `edits`: one record per element. */
	records?: readonly (readonly Wish[])[];
}

type Values = Wish["values"];

export const must = (names: readonly string[], values: Values): Wish => ({ need: "must", names, values });
export const want = (names: readonly string[], values: Values): Wish => ({ need: "want", names, values });
export const spare = (names: readonly string[], values: Values): Wish => ({ need: "spare", names, values });
export const records = (names: readonly string[], each: readonly (readonly Wish[])[]): Wish => ({
	need: "must",
	names,
	values: () => [],
	records: each,
});

/** A text, or a list that contains only this text. */
export const text =
	(value: string): Values =>
	() => [value, [value]];

export const list =
	(items: readonly string[]): Values =>
	() => [[...items], items.join(",")];

export const count =
	(value: number): Values =>
	() => [value];

/** A shell command: as a line, as a list of lines, or as the arguments of a shell that takes the line. */
export const command =
	(line: string): Values =>
	({ name, schema, tool }) => {
		if (/s$/.test(compactName(name))) return [line, [line]];
		const said = `${tool.description.slice(0, 2000)} ${descriptionOf(schema)}`;
		const windows = /powershell/i.test(said) && !/\bbash\b/i.test(said);
		return [line, windows ? ["powershell.exe", "-Command", line] : ["bash", "-lc", line]];
	};

/** A switch: a boolean, inverted for names that say the opposite, or an enumeration value with that meaning. */
export const flag =
	(value: boolean, choices: { on?: readonly string[]; off?: readonly string[] } = {}): Values =>
	({ name, schema }) => {
		const compact = compactName(name);
		const opposite = /sensitive|matchcase/.test(compact) && !compact.includes("insensitive");
		const wanted = (value ? choices.on : choices.off) ?? [];
		return [opposite ? !value : value, ...wanted.filter((choice) => choicesOf(schema).includes(choice))];
	};

/** The first of these that the parameter's enumeration offers. */
export const choice =
	(options: readonly string[]): Values =>
	({ schema }) => {
		const offered = choicesOf(schema);
		return options.flatMap((option) => offered.filter((each) => compactName(each) === compactName(option)));
	};

/** A time limit in the unit that the parameter's name or description states; nothing if neither states one. */
export const duration =
	(milliseconds: number): Values =>
	({ name, schema }) => {
		const unit = unitOf(name, schema);
		if (!unit) return [];
		const most = largestOf(schema) ?? Number.POSITIVE_INFINITY;
		return [Math.min(Math.ceil(milliseconds / (unit === "ms" ? 1 : 1000)), most)];
	};

function unitOf(name: string, schema: Schema): "ms" | "s" | undefined {
	const compact = compactName(name);
	const said = descriptionOf(schema);
	if (/(ms|millis|milliseconds)$/.test(compact)) return "ms";
	if (/(secs?|seconds)$/.test(compact)) return "s";
	if (/\bmilliseconds?\b|\bms\b/i.test(said)) return "ms";
	return /\bseconds?\b/i.test(said) ? "s" : undefined;
}

/** A line number counted from one, shifted if the parameter counts from zero. */
export const lineNumber =
	(line: number): Values =>
	({ schema }) => [/\b(0|zero)[- ]?(based|indexed)\b/i.test(descriptionOf(schema)) ? line - 1 : line];

// More lines than any file a client would return, and still an ordinary number everywhere.
const MANY = 1_000_000;

/** The largest number the parameter allows. */
export const largest: Values = ({ schema }) => [largestOf(schema) ?? MANY];

/** The largest number allowed, for tools that say they truncate their output by default. */
export const largestIfCut: Values = (slot) => {
	const said = `${slot.tool.description.slice(0, 4000)} ${descriptionOf(slot.schema)}`;
	return "default" in slot.schema || /\bdefault|\bup to\b|truncat|\bfirst \d/i.test(said) ? largest(slot) : [];
};

function largestOf(schema: Schema): number | undefined {
	const limits = alternatives(schema).flatMap(({ maximum, exclusiveMaximum }) => [
		...(typeof maximum === "number" ? [Math.floor(maximum)] : []),
		...(typeof exclusiveMaximum === "number" ? [Math.ceil(exclusiveMaximum) - 1] : []),
	]);
	return limits.length > 0 ? Math.min(...limits) : undefined;
}
