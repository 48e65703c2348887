import { create } from "@bufbuild/protobuf";
import { ListValueSchema, NullValue, StructSchema, type Value, ValueSchema } from "@bufbuild/protobuf/wkt";
import { GatewayError } from "../../turn/error.ts";

// The library's own conversions set object members by assignment, which loses a member called `__proto__`: it becomes
// the object's prototype. A tool may have such an argument, so both directions are implemented here.

/** A protobuf value as JSON. Whole doubles become integers again. */
export function jsonOfValue({ kind }: Value): unknown {
	switch (kind.case) {
		case "structValue":
			return jsonOfFields(kind.value.fields);
		case "listValue":
			return kind.value.values.map(jsonOfValue);
		case "nullValue":
			return null;
		case "numberValue":
			if (!Number.isFinite(kind.value)) throw unreadable("a number that JSON does not have");
			return kind.value;
		case undefined:
			throw unreadable("no value at all");
		default:
			return kind.value;
	}
}

/** A map of protobuf values as a JSON object. */
export function jsonOfFields(fields: Readonly<Record<string, Value>>): Record<string, unknown> {
	return Object.fromEntries(entriesOf(fields).map(([name, value]) => [name, jsonOfValue(value)]));
}

/** JSON as a protobuf value. */
export function valueOfJson(json: unknown): Value {
	return create(ValueSchema, { kind: kindOfJson(json) });
}

function kindOfJson(json: unknown): Value["kind"] {
	if (Array.isArray(json)) {
		return { case: "listValue", value: create(ListValueSchema, { values: json.map(valueOfJson) }) };
	}
	switch (typeof json) {
		case "string":
			return { case: "stringValue", value: json };
		case "number":
			return { case: "numberValue", value: json };
		case "boolean":
			return { case: "boolValue", value: json };
		default:
			return json ? structOf(json) : { case: "nullValue", value: NullValue.NULL_VALUE };
	}
}

function structOf(json: object): Value["kind"] {
	const struct = create(StructSchema);
	// Set after `create`, which would copy the members by assignment.
	struct.fields = Object.fromEntries(Object.entries(json).map(([name, value]) => [name, valueOfJson(value)]));
	return { case: "structValue", value: struct };
}

/** The entries of a map that the library has read. A member called `__proto__` is found as the prototype. */
function entriesOf(fields: Readonly<Record<string, Value>>): [string, Value][] {
	const prototype = Object.getPrototypeOf(fields) as Value | null;
	const entries = Object.entries(fields);
	return prototype === null || prototype === (Object.prototype as unknown)
		? entries
		: [...entries, ["__proto__", prototype]];
}

const unreadable = (what: string) =>
	new GatewayError("upstream-protocol", `An argument of a tool call from Cursor contains ${what}.`);
