// Messages of a run that a correct server of today would not send.
import { create, toBinary } from "@bufbuild/protobuf";
import { type AgentServerMessage, AgentServerMessageSchema, type InteractionUpdate } from "@cursorwire/protocol/agent";
import { encodeVarintField, lengthDelimited } from "../rpc/raw-proto.ts";

const INTERACTION_UPDATE = 1;
const EXEC_SERVER_MESSAGE = 2;
const INTERACTION_QUERY = 7;
const UNKNOWN_FIELD = 901;
/** Far above the ids of a turn's own requests, so that answers to this one can be recognised. */
export const UNKNOWN_REQUEST_ID = 9001;

function update(message: InteractionUpdate["message"]): Uint8Array {
	const server: AgentServerMessage = create(AgentServerMessageSchema, {
		message: { case: "interactionUpdate", value: { message } as InteractionUpdate },
	});
	return toBinary(AgentServerMessageSchema, server);
}

function textDelta(bytes: Uint8Array): Uint8Array {
	const delta = lengthDelimited(1, bytes);
	return lengthDelimited(INTERACTION_UPDATE, lengthDelimited(1, delta));
}

export function splitCodePoint(): Uint8Array[] {
	const emoji = Buffer.from("😀");
	return [textDelta(emoji.subarray(0, 2)), textDelta(emoji.subarray(2))];
}

export function badUtf8(): Uint8Array[] {
	return [textDelta(Buffer.from([0x80, 0xbf, 0xc0, 0xaf, 0xf5, 0x80, 0xff])), textDelta(Buffer.from("\ufeff\0"))];
}

export function lateText(): Uint8Array[] {
	return [textDelta(Buffer.from("too late"))];
}

export function flood(count: number): Uint8Array[] {
	const one = textDelta(Buffer.from("."));
	return new Array(count).fill(one);
}

export function unknownUpdate(): Uint8Array[] {
	return [lengthDelimited(INTERACTION_UPDATE, lengthDelimited(UNKNOWN_FIELD, Buffer.from("new")))];
}

export function unknownExec(): Uint8Array[] {
	const body = Buffer.concat([
		encodeVarintField(1, UNKNOWN_REQUEST_ID),
		lengthDelimited(UNKNOWN_FIELD, Buffer.alloc(0)),
	]);
	return [lengthDelimited(EXEC_SERVER_MESSAGE, body)];
}

export function unknownQuery(): Uint8Array[] {
	const body = Buffer.concat([
		encodeVarintField(1, UNKNOWN_REQUEST_ID),
		lengthDelimited(UNKNOWN_FIELD, Buffer.alloc(0)),
	]);
	return [lengthDelimited(INTERACTION_QUERY, body)];
}

export function unknownMessage(): Uint8Array[] {
	return [lengthDelimited(UNKNOWN_FIELD, Buffer.from("new"))];
}

export function unknownEnum(): Uint8Array[] {
	const delta = Buffer.concat([lengthDelimited(1, Buffer.from("hm ")), encodeVarintField(2, 77)]);
	return [lengthDelimited(INTERACTION_UPDATE, lengthDelimited(4, delta))];
}

export function newFields(): Uint8Array[] {
	const heartbeat = update({ case: "heartbeat", value: { $typeName: "agent.v1.HeartbeatUpdate" } });
	return [Buffer.concat([heartbeat, lengthDelimited(UNKNOWN_FIELD, Buffer.from("more"))])];
}
