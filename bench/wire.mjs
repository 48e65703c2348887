// Protobuf and Connect envelopes by hand, as far as the benchmark's own processes need them.

/** A varint's bytes; the lengths and numbers here stay below 2^31. */
function varint(value) {
	const bytes = [];
	let rest = value;
	for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128);
	bytes.push(rest);
	return Buffer.from(bytes);
}

/** A length-delimited field. */
export function field(number, ...parts) {
	const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)));
	return Buffer.concat([varint(number * 8 + 2), varint(body.length), body]);
}

/** A varint field. */
const numberField = (number, value) => Buffer.concat([varint(number * 8), varint(value)]);

/** One Connect message: flags, length, payload. */
export function envelope(payload, flags = 0) {
	const head = Buffer.alloc(5);
	head[0] = flags;
	head.writeUInt32BE(payload.length, 1);
	return Buffer.concat([head, payload]);
}

// AgentServerMessage { interaction_update = 1 { text_delta = 1 { text = 1 }, turn_ended = 14 }, exec_server_message = 2 }
export const textDelta = (text) => envelope(field(1, field(1, field(1, text))));
export const endOfTurn = Buffer.concat([envelope(field(1, field(14))), envelope(Buffer.from("{}"), 2)]);

/** InteractionUpdate { tool_requests_listed = 27 { call_count = 1 } }: one call, so that no more are waited for. */
export const oneCallListed = envelope(field(1, field(27, numberField(1, 1))));

/** ExecServerMessage { id = 1, mcp_args = 11 { name, args, tool_call_id, provider, tool_name }, exec_id = 15 }. */
export function toolCall(id, tool) {
	const argument = field(2, field(1, "path"), field(2, field(3, "src/index.ts")));
	const call = field(11, field(1, tool), argument, field(3, `call_bench_${id}`), field(4, "bench"), field(5, tool));
	return envelope(field(2, numberField(1, id), call, field(15, `exec-${id}`)));
}

/**
 * Writes a message from its end to its start, so that the length of a nested message is known when its head is written
 * and a long text is copied only once. Fields therefore come in reverse order. Field numbers stay below 16.
 */
export class BackwardMessage {
	#bytes;
	#at;

	constructor(capacity) {
		this.#bytes = Buffer.allocUnsafe(capacity);
		this.#at = capacity;
	}

	mark() {
		return this.#at;
	}

	string(number, text) {
		const length = Buffer.byteLength(text);
		this.#at -= length;
		this.#bytes.utf8Write(text, this.#at, length);
		return this.#varint(length).#varint(number * 8 + 2);
	}

	number(number, value) {
		return this.#varint(value).#varint(number * 8);
	}

	/** Makes everything written since `mark` the content of field `number`. */
	wrap(number, mark = this.#bytes.length) {
		return this.#varint(mark - this.#at).#varint(number * 8 + 2);
	}

	envelope() {
		const length = this.#bytes.length - this.#at;
		this.#at -= 5;
		this.#bytes[this.#at] = 0;
		this.#bytes.writeUInt32BE(length, this.#at + 1);
		return this.#bytes.subarray(this.#at);
	}

	#varint(value) {
		const size = value < 0x80 ? 1 : value < 0x4000 ? 2 : value < 0x200000 ? 3 : value < 0x10000000 ? 4 : 5;
		this.#at -= size;
		let rest = value;
		let at = this.#at;
		for (; rest > 127; rest >>>= 7) this.#bytes[at++] = (rest & 127) | 128;
		this.#bytes[at] = rest;
		return this;
	}
}

let cursor = 0;

function readVarint(bytes) {
	let value = 0;
	let shift = 0;
	let byte = 0;
	do {
		byte = bytes[cursor++];
		value |= (byte & 127) << shift;
		shift += 7;
	} while (byte > 127);
	return value >>> 0;
}

/** Calls `visit(number, start, end)` for each field; a varint field gives its value as `start`. */
export function eachField(bytes, from, to, visit) {
	let at = from;
	while (at < to) {
		cursor = at;
		const tag = readVarint(bytes);
		const value = readVarint(bytes);
		const start = cursor;
		at = (tag & 7) === 2 ? start + value : start;
		if ((tag & 7) === 2) visit(tag >>> 3, start, at);
		else visit(tag >>> 3, value, value);
	}
}

/** Cuts a byte stream into envelopes; bytes of an unfinished one are kept as pieces and joined once. */
export class Envelopes {
	#pieces = [];
	#held = 0;
	#needed = 5;

	constructor(onMessage) {
		this.onMessage = onMessage;
	}

	push(chunk) {
		let bytes = chunk;
		if (this.#held > 0) {
			this.#pieces.push(chunk);
			this.#held += chunk.length;
			if (this.#held < this.#needed) return;
			bytes = Buffer.concat(this.#pieces);
			this.#pieces = [];
			this.#held = 0;
		}
		let at = 0;
		this.#needed = 5;
		while (bytes.length - at >= 5) {
			const end = at + 5 + bytes.readUInt32BE(at + 1);
			if (end > bytes.length) {
				this.#needed = end - at;
				break;
			}
			this.onMessage(bytes, at + 5, end, bytes[at]);
			at = end;
		}
		if (at === bytes.length) return;
		this.#pieces.push(at === 0 ? bytes : bytes.subarray(at));
		this.#held = bytes.length - at;
	}
}

/** Microseconds on the machine's monotonic clock, which all processes share. */
export function microseconds() {
	const [seconds, nanoseconds] = process.hrtime();
	return seconds * 1e6 + nanoseconds / 1e3;
}
