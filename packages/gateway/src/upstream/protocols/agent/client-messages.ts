import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { AgentClientMessageSchema, type ExecClientMessageSchema } from "@cursorwire/protocol/agent";

type ClientMessage = MessageInitShape<typeof AgentClientMessageSchema>["message"];
type ExecAnswer = MessageInitShape<typeof ExecClientMessageSchema>["message"];

export function encodeClientMessage(message: ClientMessage): Uint8Array {
	return toBinary(AgentClientMessageSchema, create(AgentClientMessageSchema, { message }));
}

/** `client_heartbeat {}`: the same bytes every five seconds. */
export const CLIENT_HEARTBEAT: Uint8Array = encodeClientMessage({ case: "clientHeartbeat", value: {} });

const MOST_KEPT = 256;
const execHeartbeats = new Map<number, Uint8Array>();

/** Every run numbers its execs from one, and each that waits needs the same bytes every three seconds. */
export function execHeartbeat(id: number): Uint8Array {
	const known = execHeartbeats.get(id);
	if (known) return known;
	const message = { case: "heartbeat" as const, value: { id } };
	const heartbeat = encodeClientMessage({ case: "execClientControlMessage", value: { message } });
	if (execHeartbeats.size < MOST_KEPT) execHeartbeats.set(id, heartbeat);
	return heartbeat;
}

/** The answers to an exec, then the end of its stream. */
export function execAnswers(id: number, answers: readonly ExecAnswer[]): Uint8Array[] {
	return [
		...answers.map((message) => encodeClientMessage({ case: "execClientMessage", value: { id, message } })),
		encodeClientMessage({
			case: "execClientControlMessage",
			value: { message: { case: "streamClose", value: { id } } },
		}),
	];
}

/** For a request that cannot be served here. */
export function execThrow(id: number, error: string): Uint8Array[] {
	return [
		encodeClientMessage({
			case: "execClientControlMessage",
			value: { message: { case: "throw", value: { id, error } } },
		}),
		...execAnswers(id, []),
	];
}

/** The answer to a request for the context, from the context as it was serialised. */
export function contextAnswer(id: number, context: Uint8Array): Uint8Array[] {
	const wrap = (field: number, bytes: Uint8Array) =>
		new BinaryWriter().tag(field, WireType.LengthDelimited).bytes(bytes).finish();
	// ExecClientMessage { 1 id, 10 RequestContextResult { 1 success { 1 request_context } } }
	const result = wrap(10, wrap(1, wrap(1, context)));
	const exec = new BinaryWriter().tag(1, WireType.Varint).uint32(id).raw(result).finish();
	return [wrap(2, exec), ...execAnswers(id, [])];
}

export function blobRead(id: number, blobData: Uint8Array | undefined): Uint8Array {
	const value = { id, message: { case: "getBlobResult" as const, value: { blobData } } };
	return encodeClientMessage({ case: "kvClientMessage", value });
}

export function blobStored(id: number): Uint8Array {
	const value = { id, message: { case: "setBlobResult" as const, value: {} } };
	return encodeClientMessage({ case: "kvClientMessage", value });
}
