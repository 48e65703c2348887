// How the two plain RPCs of the unified protocol carry its messages. The idempotent one is in unified-idempotent.ts.
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import {
	StreamUnifiedChatRequestSchema,
	StreamUnifiedChatRequestWithToolsSchema,
	StreamUnifiedChatResponseSchema,
	StreamUnifiedChatResponseWithToolsSchema,
} from "@cursorwire/protocol/aiserver";
import type { BidiChannel } from "../bidi/channel.ts";
import type { RpcFailure } from "../rpc/failure.ts";
import type { UnifiedTransport } from "./unified-link.ts";

/** StreamUnifiedChatWithTools: each message wraps a request or response, or a tool call or its result. */
export function toolTransport(channel: BidiChannel): UnifiedTransport {
	return {
		...common(channel),
		takesToolResults: true,
		async receive() {
			const bytes = await channel.receive();
			return bytes && fromBinary(StreamUnifiedChatRequestWithToolsSchema, bytes);
		},
		send: (message) => channel.send(toBinary(StreamUnifiedChatResponseWithToolsSchema, message)),
	};
}

/** StreamUnifiedChat: the bare request and response, without the wrapper for tools. */
export function plainTransport(channel: BidiChannel): UnifiedTransport {
	return {
		...common(channel),
		takesToolResults: false,
		async receive() {
			const bytes = await channel.receive();
			if (!bytes) return undefined;
			const request = fromBinary(StreamUnifiedChatRequestSchema, bytes);
			return create(StreamUnifiedChatRequestWithToolsSchema, {
				request: { case: "streamUnifiedChatRequest", value: request },
			});
		},
		send({ response }) {
			if (response.case !== "streamUnifiedChatResponse") return;
			channel.send(toBinary(StreamUnifiedChatResponseSchema, response.value));
		},
	};
}

function common(channel: BidiChannel) {
	return {
		headers: channel.exchange.headers,
		clientGone: channel.clientGone,
		ready: () => channel.ready(),
		struck: (fault: string) => channel.struck(fault),
		end: (failure?: RpcFailure) => channel.end(failure),
		drop: () => channel.drop(),
	};
}
