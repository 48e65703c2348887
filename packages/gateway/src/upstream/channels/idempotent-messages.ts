import { BinaryReader, BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

// The wrapper messages of an idempotent stream are read and written by hand, because their content belongs to the
// machine and passes through here as bytes.

/** One numbered message from the client. */
export function clientChunk(chunk: Uint8Array, seqno: number): Uint8Array {
	return new BinaryWriter()
		.tag(1, WireType.LengthDelimited)
		.bytes(chunk)
		.tag(5, WireType.Varint)
		.uint32(seqno)
		.finish();
}

/** Tells the server that the turn is no longer wanted. Losing the connection alone does not end a turn. */
export const ABORT: Uint8Array = new BinaryWriter().tag(2, WireType.LengthDelimited).bytes(new Uint8Array()).finish();

export type IdempotentMessage =
	| { kind: "chunk"; chunk: Uint8Array; eventId: string }
	/** The server knows the stream. If it is degraded, it keeps nothing for another connection. */
	| { kind: "welcome"; isDegraded: boolean }
	| { kind: "ack"; seqno: number }
	| { kind: "unknown" };

/** Parses one message from the server. Throws if it cannot be parsed. */
export function readIdempotent(message: Uint8Array): IdempotentMessage {
	const reader = new BinaryReader(message);
	let read: IdempotentMessage = { kind: "unknown" };
	while (reader.pos < reader.len) {
		const [field, type] = reader.tag();
		if (field === 1 && type === WireType.LengthDelimited) {
			const chunk = reader.bytes();
			read = { kind: "chunk", chunk, eventId: eventIdOf(chunk) };
		} else if (field === 3 && type === WireType.LengthDelimited) {
			read = { kind: "welcome", isDegraded: isDegraded(reader.bytes()) };
		} else if (field === 4 && type === WireType.Varint) read = { kind: "ack", seqno: reader.uint32() };
		else reader.skip(type, field);
	}
	return read;
}

/** `StreamUnifiedChatResponseWithTools` { 7 event_id }. */
function eventIdOf(chunk: Uint8Array): string {
	const reader = new BinaryReader(chunk);
	let id = "";
	while (reader.pos < reader.len) {
		const [field, type] = reader.tag();
		if (field === 7 && type === WireType.LengthDelimited) id = reader.string();
		else reader.skip(type, field);
	}
	return id;
}

/** `WelcomeMessage` { 2 is_degraded_mode }. */
function isDegraded(welcome: Uint8Array): boolean {
	const reader = new BinaryReader(welcome);
	let degraded = false;
	while (reader.pos < reader.len) {
		const [field, type] = reader.tag();
		if (field === 2 && type === WireType.Varint) degraded = reader.bool();
		else reader.skip(type, field);
	}
	return degraded;
}
