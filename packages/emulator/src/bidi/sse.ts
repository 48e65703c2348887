import { fromBinary } from "@bufbuild/protobuf";
import { BidiRequestIdSchema } from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { Handler } from "../http/router.ts";
import { EnvelopeReader } from "../rpc/envelope.ts";
import { framingOf } from "../rpc/framing.ts";
import { ResponseStream } from "../rpc/response-stream.ts";
import type { BidiService } from "./channel.ts";
import { serve } from "./serve.ts";

/** The server's half as one streamed answer, the client's half by BidiAppend. In spite of the name not an event stream. */
export function sse(backend: Backend, rpc: string, service: BidiService): Handler {
	return async (exchange) => {
		const framing = framingOf(exchange.headers["content-type"]);
		if (framing !== "connect" && framing !== "grpc-web") {
			exchange.text(415, "streams take application/connect+proto or application/grpc-web+proto\n");
			return;
		}
		const reader = new EnvelopeReader(1 << 20);
		reader.push(await exchange.body());
		const envelope = reader.next();
		const requestId = envelope && fromBinary(BidiRequestIdSchema, envelope.payload).requestId;
		if (!requestId) {
			exchange.text(400, "the body must be one envelope with a BidiRequestId\n");
			return;
		}
		const inbox = backend.inboxes.claim(requestId);
		const stream = ResponseStream.open(exchange, framing, rpc, backend);
		if (!stream) {
			backend.inboxes.end(requestId);
			return;
		}
		const close = () => backend.inboxes.end(requestId);
		exchange.clientGone.addEventListener("abort", close, { once: true });
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
			drop: () => exchange.cutConnection(),
		});
		close();
	};
}
