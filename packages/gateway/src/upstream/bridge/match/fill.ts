import type { ToolDefinition } from "../../../turn/request.ts";
import { alternatives, isRecord, type Schema } from "./schema.ts";
import { judge } from "./schema-judge.ts";
import type { Wish } from "./wish.ts";
import { compactName } from "./words.ts";

/** Arguments that are certain to fit a tool's schema, and the wishes they fulfil. */
export interface Filled {
	arguments: Record<string, unknown>;
	met: ReadonlySet<Wish>;
	/** The request is one element of a list, so the result may be a list too. */
	batched: boolean;
}

/** Arguments for a tool that fulfil every `must`; undefined if none are certain to be valid. */
export function fillArguments(tool: ToolDefinition, wishes: readonly Wish[]): Filled | undefined {
	const needed = wishes.filter(({ need }) => need !== "want");
	return tryFill(tool, wishes) ?? tryFill(tool, needed);
}

function tryFill(tool: ToolDefinition, wishes: readonly Wish[]): Filled | undefined {
	for (const schema of alternatives(tool.inputSchema)) {
		const filled = fillObject(tool, schema, wishes, 0);
		if (!filled || !carriesAll(filled.met, wishes)) continue;
		if (judge(tool.inputSchema, filled.arguments) === "fits") return filled;
	}
	return undefined;
}

const MAX_NESTING = 2;

function fillObject(tool: ToolDefinition, schema: Schema, wishes: readonly Wish[], depth: number): Filled | undefined {
	if (!isRecord(schema.properties)) return undefined;
	const form = new Form(tool, schema.properties, schema.required);
	const met = new Set(wishes.filter((wish) => form.grant(wish, depth)));
	if (depth < MAX_NESTING) form.nest(wishes, met, depth);
	return form.complete() ? { arguments: form.values(), met, batched: form.batched } : undefined;
}

/** An arguments object under construction. */
class Form {
	readonly #tool: ToolDefinition;
	readonly #slots: ReadonlyMap<string, Schema>;
	readonly #required: ReadonlySet<string>;
	readonly #values = new Map<string, unknown>();
	batched = false;

	constructor(tool: ToolDefinition, properties: Record<string, unknown>, required: unknown) {
		this.#tool = tool;
		// A parameter with this name would set the prototype of the object it is put into.
		const usable = Object.entries(properties).filter(([name]) => name !== "__proto__");
		this.#slots = new Map(usable.map(([name, schema]) => [name, isRecord(schema) ? schema : {}]));
		this.#required = new Set(Array.isArray(required) ? required.filter((name) => typeof name === "string") : []);
	}

	/** Puts the wish into the best free slot with one of its names. */
	grant(wish: Wish, depth: number): boolean {
		for (const name of wish.names) {
			for (const [slot, schema] of this.#named(name, wish)) {
				const forms = wish.values({ name: slot, schema, tool: this.#tool });
				const value = wish.records
					? this.#rows(schema, wish.records, depth)
					: forms.find((each) => judge(schema, each) === "fits");
				if (value === undefined) continue;
				this.#values.set(slot, value);
				this.batched ||= wish.need === "must" && Array.isArray(value) && !Array.isArray(forms[0] ?? []);
				return true;
			}
		}
		return false;
	}

	/** Puts the remaining wishes into a list of objects or a nested object, as in `files: [{ path }]`. */
	nest(wishes: readonly Wish[], met: Set<Wish>, depth: number): void {
		for (const [slot, schema] of this.#slots) {
			const open = wishes.filter((wish) => !met.has(wish));
			const urgent = open.some(({ need }) => need === "must");
			if (!urgent || this.#values.has(slot)) continue;
			const inner = this.#container(schema, open, depth);
			if (!inner || judge(schema, inner.value) !== "fits") continue;
			this.#values.set(slot, inner.value);
			for (const wish of inner.met) met.add(wish);
			this.batched = true;
		}
	}

	/**
	 * Fills the remaining required parameters with values from their schemas; false if a schema supplies none.
	 */
	complete(): boolean {
		for (const name of this.#required) {
			if (this.#values.has(name)) continue;
			const schema = this.#slots.get(name);
			const value = schema && constants(schema).find((each) => judge(schema, each) === "fits");
			if (value === undefined) return false;
			this.#values.set(name, value);
		}
		return true;
	}

	values(): Record<string, unknown> {
		return Object.fromEntries(this.#values);
	}

	#named(name: string, wish: Wish): [string, Schema][] {
		const free = [...this.#slots].filter(([slot]) => compactName(slot) === name && !this.#values.has(slot));
		const required = free.filter(([slot]) => this.#required.has(slot));
		return wish.need === "spare" ? required : [...required, ...free.filter(([slot]) => !this.#required.has(slot))];
	}

	#rows(schema: Schema, records: readonly (readonly Wish[])[], depth: number): unknown {
		for (const { items } of alternatives(schema)) {
			if (!isRecord(items)) continue;
			const rows = records.map((wishes) => fillObject(this.#tool, items, wishes, depth + 1));
			const whole = rows.every((row, index) => row && carriesAll(row.met, records[index] ?? []));
			const value = rows.map((row) => row?.arguments);
			if (whole && judge(schema, value) === "fits") return value;
		}
		return undefined;
	}

	#container(schema: Schema, wishes: readonly Wish[], depth: number) {
		for (const branch of alternatives(schema)) {
			const inList = isRecord(branch.items);
			const inner = fillObject(this.#tool, isRecord(branch.items) ? branch.items : branch, wishes, depth + 1);
			if (!inner || ![...inner.met].some(({ need }) => need === "must")) continue;
			return { value: inList ? [inner.arguments] : inner.arguments, met: inner.met };
		}
		return undefined;
	}
}

function carriesAll(met: ReadonlySet<Wish>, wishes: readonly Wish[]): boolean {
	return wishes.every((wish) => wish.need !== "must" || met.has(wish));
}

/** Values that follow from a schema alone: the only one it allows, its default, or null. */
function constants(schema: Schema): unknown[] {
	return [
		...("const" in schema ? [schema.const] : []),
		...("default" in schema ? [schema.default] : []),
		...(Array.isArray(schema.enum) && schema.enum.length === 1 ? schema.enum : []),
		...(alternatives(schema).some(speaksOfNull) ? [null] : []),
	];
}

function speaksOfNull({ type, nullable, enum: choices }: Schema): boolean {
	const named = [type, choices].some(
		(list) => Array.isArray(list) && list.some((each) => each === null || each === "null"),
	);
	return named || type === "null" || nullable === true;
}
