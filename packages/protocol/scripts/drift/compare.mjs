// The differences between a version of the SDK and the facts.
import { isDeepStrictEqual } from "node:util";
import { typesReachable } from "./reachable.mjs";

/** A new kind in one of these is a message that the server may send and the gateway does not know. */
const ANSWERED_BY_KIND = new Set([
	"agent.v1.AgentServerMessage",
	"agent.v1.ExecServerMessage",
	"agent.v1.InteractionQuery",
	"agent.v1.InteractionUpdate",
]);

/**
 * @typedef {object} Change
 * @property {"added" | "removed" | "changed"} what
 * @property {string} type the message, enum or service
 * @property {string} text
 * @property {boolean} breaking whether a client that follows the facts may fail
 */

/**
 * @param {any} facts of facts.json
 * @param {import("../extract/reflect.mjs").Schema} schema
 * @param {(path: string) => boolean} isUsed whether the proto files have a field, given as `type.field`
 * @returns {Change[]}
 */
export function compare(facts, schema, isUsed) {
	return [...compareMessages(facts, schema, isUsed), ...compareEnums(facts, schema), ...compareServices(facts, schema)];
}

function* compareMessages(facts, { messages }, isUsed) {
	for (const [type, { source, fields }] of Object.entries(facts.messages)) {
		if (type in messages) yield* compareFields(type, fields, messages[type], isUsed);
		// Facts with another source are not expected in an SDK.
		else if (source === `sdk-${facts.sdk}`) yield { what: "removed", type, text: `message ${type}`, breaking: true };
	}
}

function* compareFields(type, ours, theirs, isUsed) {
	const theirsByName = new Map(theirs.map((field) => [field.name, field]));
	for (const field of ours) {
		const now = theirsByName.get(field.name);
		const path = `${type}.${field.name}`;
		if (now === undefined) yield { what: "removed", type, text: describe(path, field), breaking: isUsed(path) };
		else if (!isDeepStrictEqual(onTheWire(now), onTheWire(field))) {
			yield { what: "changed", type, text: `${describe(path, field)} → ${describe(path, now)}`, breaking: true };
		}
	}
	const known = new Set(ours.map(({ name }) => name));
	for (const field of theirs.filter(({ name }) => !known.has(name))) {
		const breaking = field.oneof !== undefined && ANSWERED_BY_KIND.has(type);
		yield { what: "added", type, text: describe(`${type}.${field.name}`, field), breaking };
	}
}

/** A field with a message is always optional, whether it is marked so or not. */
function onTheWire({ optional, ...field }) {
	return field.kind === "message" ? field : { optional, ...field };
}

/** In the style of a proto file: `agent.v1.Foo.bar = 3 (repeated string)`. */
function describe(path, { no, type, mapKey, repeated, optional, oneof }) {
	const plain = mapKey === undefined ? type : `map<${mapKey}, ${type}>`;
	const label = [repeated && "repeated", optional && "optional", plain, oneof && `in ${oneof}`]
		.filter(Boolean)
		.join(" ");
	return `${path} = ${no} (${label})`;
}

function* compareEnums(facts, { enums }) {
	const expected = typesReachable(facts.messages, ({ source }) => source === `sdk-${facts.sdk}`);
	for (const [type, ours] of Object.entries(facts.enums)) {
		const theirs = enums[type];
		if (theirs !== undefined) yield* compareValues(type, ours, theirs);
		else if (expected.has(type)) yield { what: "removed", type, text: `enum ${type}`, breaking: true };
	}
}

function* compareValues(type, ours, theirs) {
	for (const [name, no] of Object.entries(ours)) {
		const text = `${type}.${name} = ${no}`;
		if (!(name in theirs)) yield { what: "removed", type, text, breaking: true };
		else if (theirs[name] !== no) yield { what: "changed", type, text: `${text} → ${theirs[name]}`, breaking: true };
	}
	for (const [name, no] of Object.entries(theirs)) {
		if (!(name in ours)) yield { what: "added", type, text: `${type}.${name} = ${no}`, breaking: false };
	}
}

function* compareServices(facts, { services }) {
	for (const [type, others] of Object.entries(facts.otherRpcs)) {
		const theirs = services[type] ?? [];
		for (const rpc of facts.services[type]) {
			const now = theirs.find(({ name }) => name === rpc.name);
			if (now === undefined) yield { what: "removed", type, text: `RPC ${rpc.path}`, breaking: true };
			else if (!isDeepStrictEqual(now, rpc)) {
				yield { what: "changed", type, text: `RPC ${rpc.path}: ${signature(rpc)} → ${signature(now)}`, breaking: true };
			}
		}
		yield* compareOthers(type, others, otherRpcs(facts.services[type], theirs, others));
	}
	for (const type of Object.keys(services)) {
		if (!(type in facts.services)) yield { what: "added", type, text: `service ${type}`, breaking: false };
	}
}

const signature = ({ input, output, kind }) => `${kind} ${input} → ${output}`;

function* compareOthers(type, ours, theirs) {
	if (typeof ours === "number") {
		const text = `${type}: ${theirs} RPCs that are not used here, ${ours} before`;
		if (ours !== theirs) yield { what: theirs > ours ? "added" : "removed", type, text, breaking: false };
		return;
	}
	for (const [what, from, to] of [
		["added", theirs, ours],
		["removed", ours, theirs],
	]) {
		for (const name of from.filter((each) => !to.includes(each))) {
			yield { what, type, text: `RPC /${type}/${name}`, breaking: false };
		}
	}
}

/**
 * The RPCs that are not used here, by name, or only their number if there are very many.
 * @param {{ name: string }[]} used
 * @param {{ name: string }[]} all
 * @param {string[] | number} like a value in the wanted form
 */
export function otherRpcs(used, all, like) {
	const names = all.map(({ name }) => name).filter((name) => !used.some((rpc) => rpc.name === name));
	return typeof like === "number" ? names.length : names.sort();
}
