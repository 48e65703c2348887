// Messages, enums and services in the form of facts.json, read at run time from what generated code says about itself.

/** By the numbers in version 1 of the protobuf library. */
const SCALARS = {
	1: "double",
	2: "float",
	3: "int64",
	4: "uint64",
	5: "int32",
	6: "fixed64",
	7: "fixed32",
	8: "bool",
	9: "string",
	12: "bytes",
	13: "uint32",
	15: "sfixed32",
	16: "sfixed64",
	17: "sint32",
	18: "sint64",
};
const METHOD_KINDS = ["Unary", "ServerStreaming", "ClientStreaming", "BiDiStreaming"];

/**
 * @typedef {{ no: number, name: string, kind: string, type: string, mapKey?: string, mapValueKind?: string, repeated?: true, optional?: true, oneof?: string }} Field
 * @typedef {{ name: string, path: string, input: string, output: string, kind: string }} Method
 * @typedef {object} Schema
 * @property {Record<string, Method[]>} services
 * @property {Record<string, Record<string, number>>} enums
 * @property {Record<string, Field[]>} messages
 */

/**
 * @param {Iterable<unknown>} exported what the generated modules export
 * @param {(value: unknown) => any} enumTypeOf `proto3.getEnumType` of the library that they use; throws for anything else
 * @returns {Schema} with all types that can be reached from them
 */
export function reflect(exported, enumTypeOf) {
	const schema = { services: {}, enums: {}, messages: {} };
	const open = [...exported];
	for (let value = open.pop(); open.length > 0 || value !== undefined; value = open.pop()) {
		open.push(...read(value, schema, enumTypeOf));
	}
	return schema;
}

/** Adds a value to the schema and returns the types that it refers to. */
function read(value, schema, enumTypeOf) {
	if (typeof value === "function") return isMessage(value) ? readMessage(value, schema) : [];
	if (typeof value !== "object" || value === null) return [];
	if (value.typeName && value.methods) return readService(value, schema);
	const enumType = Array.isArray(value.values) ? value : registeredEnum(value, enumTypeOf);
	if (enumType) schema.enums[enumType.typeName] = Object.fromEntries(enumType.values.map(({ name, no }) => [name, no]));
	return [];
}

/** Base classes of generated classes throw here, because they have no name and fields of their own. */
function isMessage(value) {
	try {
		return Boolean(value.typeName && value.fields);
	} catch {
		return false;
	}
}

function registeredEnum(value, enumTypeOf) {
	try {
		return enumTypeOf(value);
	} catch {
		return undefined;
	}
}

function readMessage({ typeName, fields }, schema) {
	if (typeName in schema.messages || typeName.startsWith("google.protobuf.")) return [];
	const list = [...fields.byNumber()];
	schema.messages[typeName] = list.map(fieldFact);
	return list.map(({ kind, T, V }) => (kind === "map" ? V.T : T)).filter((type) => typeof type !== "number");
}

function fieldFact({ no, name, kind, T, K, V, repeated, opt, oneof }) {
	const isMap = kind === "map";
	return {
		no,
		name,
		kind,
		type: nameOf(isMap ? V.T : T, name),
		...(isMap && { mapKey: SCALARS[K], mapValueKind: V.kind }),
		...(repeated && { repeated: true }),
		...(opt && { optional: true }),
		...(oneof && { oneof: oneof.name }),
	};
}

/** Throws for an unknown form of SDK, which must not be mistaken for an SDK with other types. */
function nameOf(type, user) {
	const name = typeof type === "number" ? SCALARS[type] : type?.typeName;
	if (name === undefined) throw new Error(`the type of ${user} cannot be read; the SDK has come in a new form`);
	return name;
}

function readService(service, schema) {
	const methods = Object.values(service.methods);
	schema.services[service.typeName] = methods.map(({ name, I, O, kind }) => ({
		name,
		path: `/${service.typeName}/${name}`,
		input: nameOf(I, name),
		output: nameOf(O, name),
		kind: METHOD_KINDS[kind],
	}));
	return methods.flatMap(({ I, O }) => [I, O]);
}
