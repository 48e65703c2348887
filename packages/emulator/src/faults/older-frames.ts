// Messages of the older protocols that a correct server of today would not send.

import { encodeVarintField, lengthDelimited } from "../rpc/raw-proto.ts";
import type { ProtocolFrames } from "./protocol-frames.ts";

type Wrap = (message: Uint8Array) => Uint8Array;

const UNKNOWN_FIELD = 901;
const UNKNOWN_TOOL = 901;
const UNKNOWN_ENUM_VALUE = 77;
const THINKING_STYLE = 37;
const SERVER_BUBBLE_ID = 22;
/** Ids of calls to unknown tools begin with this, so that their results can be recognised. */
export const UNKNOWN_CALL = "unknown_";

const unknownField = () => lengthDelimited(UNKNOWN_FIELD, Buffer.from("new"));
const text = (bytes: Uint8Array) => lengthDelimited(1, bytes);

/** StreamUnifiedChat: the bare response. */
export const plainUnifiedFrames: ProtocolFrames = olderFrames((response) => response, undefined);

/** StreamUnifiedChatWithTools: a response, or a call. */
export const unifiedFrames: ProtocolFrames = olderFrames(
	(response) => lengthDelimited(2, response),
	(call) => lengthDelimited(1, call),
);

/** StreamUnifiedChatWithToolsIdempotent: the same, wrapped in a server chunk. */
export const idempotentUnifiedFrames: ProtocolFrames = olderFrames(
	(response) => lengthDelimited(1, lengthDelimited(2, response)),
	(call) => lengthDelimited(1, lengthDelimited(1, call)),
);

/** AiService/StreamChat: text and nothing else. */
export const legacyFrames: ProtocolFrames = {
	...olderFrames((response) => response, undefined),
	unknownEnum: () => [],
	newFields: () => [unknownField()],
};

function olderFrames(response: Wrap, call: Wrap | undefined): ProtocolFrames {
	const unknownCall = (number: number) => {
		if (!call) return [];
		const fields = [encodeVarintField(1, UNKNOWN_TOOL), lengthDelimited(3, Buffer.from(`${UNKNOWN_CALL}${number}`))];
		return [call(Buffer.concat(fields))];
	};
	return {
		splitCodePoint() {
			const emoji = Buffer.from("😀");
			return [response(text(emoji.subarray(0, 2))), response(text(emoji.subarray(2)))];
		},
		badUtf8: () => [
			response(text(Buffer.from([0x80, 0xbf, 0xc0, 0xaf, 0xf5, 0x80, 0xff]))),
			response(text(Buffer.from("\ufeff\0"))),
		],
		lateText: () => [response(text(Buffer.from("too late")))],
		flood: (count) => new Array(count).fill(response(text(Buffer.from(".")))),
		unknownUpdate: () => [response(unknownField())],
		unknownExec: () => unknownCall(1),
		unknownQuery: () => unknownCall(2),
		unknownMessage: () => [unknownField()],
		unknownEnum: () => [response(encodeVarintField(THINKING_STYLE, UNKNOWN_ENUM_VALUE))],
		newFields: () => [
			response(Buffer.concat([lengthDelimited(SERVER_BUBBLE_ID, Buffer.from("bubble")), unknownField()])),
		],
	};
}
