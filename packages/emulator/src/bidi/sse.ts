import { fromBinary } from "@bufbuild/protobuf";
import { BidiRequestIdSchema } from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { Handler } from "../http/router.ts";
import { protoToJson, type StreamTypes } from "../rpc/json-messages.ts";
import { ResponseStream } from "../rpc/response-stream.ts";
import type { BidiService } from "./channel.ts";
import { serve } from "./serve.ts";
import { singleMessage } from "./single-message.ts";

/**
 * The server's half as one streamed response, the client's half by BidiAppend: this is how SDK 1.0.32 works over
 * HTTP/1.1. Despite its name, RunSSE is not an event stream; it has the envelopes of docs/protocol.md, Framing.
 */
export function sse(backend: Backend, rpc: string, service: BidiService, types?: StreamTypes): Handler {
	return async (exchange) => {
		const request = await singleMessage(exchange, types && BidiRequestIdSchema);
		if (!request) return;
		const { requestId } = fromBinary(BidiRequestIdSchema, request.message);
		if (!requestId) {
			exchange.text(400, "the body must be a BidiRequestId\n");
			return;
		}
		const inbox = backend.inboxes.claim(requestId);
		const json = request.framing === "connect-json" ? types : undefined;
		const encode = json && ((message: Uint8Array) => protoToJson(json.output, message));
		const stream = ResponseStream.open(exchange, request.framing, rpc, backend, encode);
		if (!stream) {
			backend.inboxes.end(requestId);
			return;
		}
		const close = () => backend.inboxes.end(requestId);
		// A fault may end the response in the middle of the run, which then has no reader either.
		exchange.onClosed(close);
		await serve(backend, service, {
			rpc,
			requestId,
			exchange,
			clientGone: exchange.clientGone,
			receive: () => inbox.messages.next(),
			send: (payload) => stream.send(payload),
			ready: () => stream.ready(),
			end: (failure) => stream.end(failure),
			struck: (fault) => stream.struck.has(fault),
			drop: () => exchange.cutConnectionAfterWrites(),
		});
		close();
	};
}
