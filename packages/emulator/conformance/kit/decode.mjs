// Reads protobuf by packages/protocol/facts.json, without any code of the emulator, so that the emulator's own mistakes
// are noticed. A field that the facts do not have is an error.
import { readFileSync } from "node:fs";

const facts = JSON.parse(readFileSync(new URL("../../../protocol/facts.json", import.meta.url), "utf8"));
const utf8 = new TextDecoder("utf-8", { fatal: true });

/**
 * @param {string} typeName
 * @param {Uint8Array} bytes
 * @returns {Record<string, any>} by field name; fields that were not sent are absent
 */
export function decode(typeName, bytes) {
	const fields = new Map(facts.messages[typeName].fields.map((field) => [field.no, field]));
	const message = {};
	for (const { no, wireType, value } of readFields(Buffer.from(bytes))) {
		const field = fields.get(no);
		if (field === undefined) throw new Error(`${typeName} has no field ${no}`);
		add(message, field, wireType, value);
	}
	return message;
}

/**
 * Which member of a message's oneof is set. Fields outside of the oneof do not count.
 * @param {string} typeName
 * @param {Record<string, any>} message
 * @returns {[name: string, value: any]}
 */
export function memberOf(typeName, message) {
	const members = facts.messages[typeName].fields.filter(({ oneof, name }) => oneof && name in message);
	if (members.length !== 1)
		throw new Error(`${typeName} of ${members.map(({ name }) => name).join(" and ") || "no kind"}`);
	return [members[0].name, message[members[0].name]];
}

const LENGTH_DELIMITED = 2;
const FIXED_LENGTHS = { 1: 8, 5: 4 };

function* readFields(buffer) {
	for (let at = 0; at < buffer.length; ) {
		const tag = varint(buffer, at);
		const [no, wireType] = [Number(tag.value >> 3n), Number(tag.value & 7n)];
		if (wireType === 0) {
			const { value, end } = varint(buffer, tag.end);
			yield { no, wireType, value };
			at = end;
			continue;
		}
		const length = wireType === LENGTH_DELIMITED ? varint(buffer, tag.end) : fixed(wireType, tag.end);
		at = length.end + Number(length.value);
		if (at > buffer.length) throw new Error("a field is longer than its message");
		yield { no, wireType, value: buffer.subarray(length.end, at) };
	}
}

function fixed(wireType, end) {
	if (!(wireType in FIXED_LENGTHS)) throw new Error(`wire type ${wireType}`);
	return { value: FIXED_LENGTHS[wireType], end };
}

function varint(buffer, start) {
	let value = 0n;
	for (let at = start; ; at++) {
		if (at >= buffer.length || at - start > 9) throw new Error("a varint that does not end");
		value |= BigInt(buffer[at] & 0x7f) << BigInt(7 * (at - start));
		if (buffer[at] < 0x80) return { value: BigInt.asUintN(64, value), end: at + 1 };
	}
}

function add(message, field, wireType, value) {
	if (field.kind === "map") {
		message[field.name] = { ...message[field.name], ...mapEntry(field, value) };
		return;
	}
	const isPacked = field.repeated && wireType === LENGTH_DELIMITED && isNumeric(field);
	const values = isPacked ? packed(field, value) : [single(field.kind, field.type, value)];
	if (field.repeated) message[field.name] = [...(message[field.name] ?? []), ...values];
	else message[field.name] = values[0];
}

const isNumeric = ({ kind, type }) => kind === "enum" || (kind === "scalar" && type !== "string" && type !== "bytes");

/** All packed numbers in a run are varints. */
function packed({ kind, type }, bytes) {
	const values = [];
	for (let at = 0; at < bytes.length; ) {
		const { value, end } = varint(bytes, at);
		values.push(single(kind, type, value));
		at = end;
	}
	return values;
}

function mapEntry({ mapKey, mapValueKind, type }, bytes) {
	const entry = Object.fromEntries([...readFields(bytes)].map(({ no, value }) => [no, value]));
	const key = entry[1] === undefined ? "" : single("scalar", mapKey, entry[1]);
	return { [key]: entry[2] === undefined ? undefined : single(mapValueKind, type, entry[2]) };
}

const SCALARS = {
	string: (value) => utf8.decode(value),
	bytes: (value) => Buffer.from(value),
	bool: (value) => value !== 0n,
	int32: (value) => Number(BigInt.asIntN(32, value)),
	int64: (value) => Number(BigInt.asIntN(64, value)),
	uint32: Number,
	uint64: Number,
	double: (value) => value.readDoubleLE(),
	float: (value) => value.readFloatLE(),
};

function single(kind, type, value) {
	if (kind === "enum") return Number(BigInt.asIntN(32, value));
	// Google's well-known types are not decoded; no case looks into them.
	if (kind === "message") return type.startsWith("google.protobuf.") ? Buffer.from(value) : decode(type, value);
	return SCALARS[type](value);
}
