import { isRecord, type Schema } from "./schema.ts";

/** `unsure`: the schema uses something that is not evaluated here. The bridge then refuses. */
export type SchemaFit = "fits" | "fails" | "unsure";

type Rule = (operand: unknown, value: unknown, schema: Schema, depth: number) => SchemaFit;

// Deeper than any real tool schema. Protects the stack from hostile nesting.
const MAX_DEPTH = 24;

/**
 * Whether a value certainly satisfies a JSON schema. Client schemas are never compiled or dereferenced, because a
 * `pattern` may backtrack forever and a `$ref` may be circular. Whatever cannot be decided by inspection is `unsure`.
 */
export function judge(schema: unknown, value: unknown, depth = 0): SchemaFit {
	if (typeof schema === "boolean") return verdict(schema);
	if (!isRecord(schema) || depth > MAX_DEPTH) return "unsure";
	const verdicts = Object.keys(schema).map((keyword) => {
		const rule = Object.hasOwn(RULES, keyword) ? RULES[keyword] : undefined;
		return rule ? rule(schema[keyword], value, schema, depth + 1) : "fits";
	});
	return every(verdicts);
}

const ofString =
	(test: (value: string, operand: number) => boolean): Rule =>
	(operand, value) =>
		typeof value !== "string" ? "fits" : typeof operand !== "number" ? "unsure" : verdict(test(value, operand));
const ofNumber =
	(test: (value: number, operand: number) => boolean): Rule =>
	(operand, value) =>
		typeof value !== "number" ? "fits" : typeof operand !== "number" ? "unsure" : verdict(test(value, operand));
const ofArray =
	(test: (length: number, operand: number) => boolean): Rule =>
	(operand, value) =>
		!Array.isArray(value) ? "fits" : typeof operand !== "number" ? "unsure" : verdict(test(value.length, operand));
const ofObject =
	(test: (size: number, operand: number) => boolean): Rule =>
	(operand, value) => {
		if (!isRecord(value)) return "fits";
		return typeof operand !== "number" ? "unsure" : verdict(test(Object.keys(value).length, operand));
	};
const branches =
	(combine: (verdicts: SchemaFit[]) => SchemaFit): Rule =>
	(operand, value, _schema, depth) =>
		Array.isArray(operand) && operand.length > 0
			? combine(operand.map((branch) => judge(branch, value, depth)))
			: "unsure";

// Assertions that are not evaluated, by the type of value they apply to.
const unjudged: Rule = () => "unsure";
const unjudgedString: Rule = (_operand, value) => (typeof value === "string" ? "unsure" : "fits");
const unjudgedArray: Rule = (_operand, value) => (Array.isArray(value) ? "unsure" : "fits");
const unjudgedObject: Rule = (_operand, value) => (isRecord(value) ? "unsure" : "fits");

const RULES: Readonly<Record<string, Rule>> = {
	type: (operand, value, schema) => {
		if (value === null && schema.nullable === true) return "fits";
		const types = Array.isArray(operand) ? operand : [operand];
		if (types.length === 0 || !types.every((type) => typeof type === "string" && type in TYPES)) return "unsure";
		return verdict(types.some((type: string) => TYPES[type]?.(value)));
	},
	enum: (operand, value) => (Array.isArray(operand) ? verdict(operand.some((item) => same(item, value))) : "unsure"),
	const: (operand, value) => verdict(same(operand, value)),
	minLength: ofString((value, operand) => codePoints(value) >= operand),
	maxLength: ofString((value, operand) => codePoints(value) <= operand),
	format: (operand, value) => {
		if (typeof value !== "string") return "fits";
		if (operand === "uri" || operand === "url") return verdict(/^[a-z][a-z0-9+.-]*:\S+$/i.test(value));
		return typeof operand !== "string" || UNJUDGED_FORMATS.has(operand) ? "unsure" : "fits";
	},
	minimum: ofNumber((value, operand) => value >= operand),
	maximum: ofNumber((value, operand) => value <= operand),
	exclusiveMinimum: ofNumber((value, operand) => value > operand),
	exclusiveMaximum: ofNumber((value, operand) => value < operand),
	multipleOf: ofNumber((value, operand) => operand > 0 && Number.isInteger(value / operand)),
	items: (operand, value, _schema, depth) => {
		if (!Array.isArray(value)) return "fits";
		return every(value.map((item) => judge(operand, item, depth)));
	},
	minItems: ofArray((length, operand) => length >= operand),
	maxItems: ofArray((length, operand) => length <= operand),
	uniqueItems: (operand, value) => {
		if (!Array.isArray(value) || operand === false || value.length < 2) return "fits";
		return operand === true && value.length <= 50 ? verdict(!value.some(repeats)) : "unsure";
	},
	required: (operand, value) => {
		if (!isRecord(value)) return "fits";
		if (!Array.isArray(operand)) return "unsure";
		return verdict(operand.every((name) => typeof name === "string" && Object.hasOwn(value, name)));
	},
	properties: (operand, value, _schema, depth) => {
		if (!isRecord(value)) return "fits";
		if (!isRecord(operand)) return "unsure";
		const named = Object.keys(value).filter((name) => Object.hasOwn(operand, name));
		return every(named.map((name) => judge(operand[name], value[name], depth)));
	},
	additionalProperties: (operand, value, schema, depth) => {
		if (!isRecord(value) || operand === true) return "fits";
		const declared = isRecord(schema.properties) ? schema.properties : {};
		const others = Object.keys(value).filter((name) => !Object.hasOwn(declared, name));
		if (others.length > 0 && "patternProperties" in schema) return "unsure";
		return every(others.map((name) => judge(operand, value[name], depth)));
	},
	minProperties: ofObject((size, operand) => size >= operand),
	maxProperties: ofObject((size, operand) => size <= operand),
	allOf: branches(every),
	anyOf: branches((verdicts) => (verdicts.includes("fits") ? "fits" : every(verdicts))),
	oneOf: branches((verdicts) => {
		const fitting = verdicts.filter((each) => each === "fits").length;
		if (fitting > 1) return "fails";
		return verdicts.includes("unsure") ? "unsure" : verdict(fitting === 1);
	}),
	not: (operand, value, _schema, depth) => {
		const inner = judge(operand, value, depth);
		return inner === "unsure" ? inner : verdict(inner === "fails");
	},
	pattern: unjudgedString,
	prefixItems: unjudgedArray,
	additionalItems: unjudgedArray,
	contains: unjudgedArray,
	unevaluatedItems: unjudgedArray,
	patternProperties: unjudgedObject,
	propertyNames: unjudgedObject,
	dependencies: unjudgedObject,
	dependentRequired: unjudgedObject,
	dependentSchemas: unjudgedObject,
	unevaluatedProperties: unjudgedObject,
	$ref: unjudged,
	$dynamicRef: unjudged,
	$recursiveRef: unjudged,
	if: unjudged,
};

const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
	string: (value) => typeof value === "string",
	number: (value) => typeof value === "number" && Number.isFinite(value),
	integer: (value) => Number.isInteger(value),
	boolean: (value) => typeof value === "boolean",
	null: (value) => value === null,
	array: (value) => Array.isArray(value),
	object: isRecord,
};

const UNJUDGED_FORMATS = new Set(
	"date time date-time duration email idn-email hostname idn-hostname ipv4 ipv6 uuid regex json-pointer".split(" "),
);

function verdict(holds: boolean): SchemaFit {
	return holds ? "fits" : "fails";
}

function every(verdicts: readonly SchemaFit[]): SchemaFit {
	if (verdicts.includes("fails")) return "fails";
	return verdicts.includes("unsure") ? "unsure" : "fits";
}

function codePoints(text: string): number {
	let count = 0;
	for (const _ of text) count++;
	return count;
}

function repeats(item: unknown, index: number, list: readonly unknown[]): boolean {
	return list.slice(0, index).some((earlier) => same(earlier, item));
}

function same(left: unknown, right: unknown): boolean {
	if (left === right) return true;
	if (Array.isArray(left) && Array.isArray(right)) {
		return left.length === right.length && left.every((item, index) => same(item, right[index]));
	}
	if (!isRecord(left) || !isRecord(right)) return false;
	const names = Object.keys(left);
	if (names.length !== Object.keys(right).length) return false;
	return names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name]));
}
