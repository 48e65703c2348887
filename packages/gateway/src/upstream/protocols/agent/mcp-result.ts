import type { ToolResultPart } from "../../../turn/request.ts";

/** A part of a message that knows its length before it is written. */
interface Field {
	readonly length: number;
	/** Writes it at a place, and returns the place behind it. */
	write(target: Buffer, at: number): number;
}

const VARINT = 0;
const LENGTH_DELIMITED = 2;

/**
 * The message that gives a result to a call of a client's tool. Written in one go: a text may have megabytes and stands
 * six messages deep, where the library copies it once for each of them. A tool that ran and failed is a success with an
 * error flag: the error variant can end the turn.
 */
export function mcpResult(execId: number, { content, isError }: ToolResultPart): Buffer {
	const items = content.map((part) =>
		part.type === "text"
			? message(1, [message(1, [text(1, part.text)])])
			: message(1, [message(2, [bytes(1, part.data), text(2, part.mediaType)])]),
	);
	const success = message(1, [...items, number(2, isError ? 1 : 0)]);
	// AgentClientMessage { 2 ExecClientMessage { 1 id, 11 McpResult { 1 McpSuccess } } }
	const whole = message(2, [number(1, execId), message(11, [success])]);
	const target = Buffer.allocUnsafe(whole.length);
	whole.write(target, 0);
	return target;
}

function message(field: number, parts: readonly Field[]): Field {
	let length = 0;
	for (const part of parts) length += part.length;
	return delimited(field, length, (target, start) => {
		let at = start;
		for (const part of parts) at = part.write(target, at);
	});
}

function text(field: number, value: string): Field {
	if (value === "") return NOTHING;
	return delimited(field, Buffer.byteLength(value), (target, at) => target.write(value, at));
}

function bytes(field: number, value: Uint8Array): Field {
	return value.length === 0 ? NOTHING : delimited(field, value.length, (target, at) => target.set(value, at));
}

function number(field: number, value: number): Field {
	if (value === 0) return NOTHING;
	return {
		length: 1 + varintLength(value),
		write: (target, at) => writeVarint(target, writeVarint(target, at, (field << 3) | VARINT), value),
	};
}

function delimited(field: number, length: number, write: (target: Buffer, at: number) => unknown): Field {
	return {
		length: 1 + varintLength(length) + length,
		write(target, at) {
			const start = writeVarint(target, writeVarint(target, at, (field << 3) | LENGTH_DELIMITED), length);
			write(target, start);
			return start + length;
		},
	};
}

/** What has its default value is left out, as everywhere in this protocol. */
const NOTHING: Field = { length: 0, write: (_target, at) => at };

function varintLength(value: number): number {
	let length = 1;
	for (let rest = value >>> 7; rest > 0; rest >>>= 7) length++;
	return length;
}

function writeVarint(target: Buffer, start: number, value: number): number {
	let at = start;
	let rest = value;
	for (; rest > 0x7f; rest >>>= 7) target[at++] = (rest & 0x7f) | 0x80;
	target[at++] = rest;
	return at;
}
