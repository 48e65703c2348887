import type { Backend } from "../backend.ts";
import type { Handler } from "../http/router.ts";
import { ResponseStream } from "../rpc/response-stream.ts";
import type { BidiService } from "./channel.ts";
import { serve } from "./serve.ts";
import { singleMessage } from "./single-message.ts";

/** A server-streaming call: one message in, a stream of messages out. */
export function serverStream(backend: Backend, rpc: string, service: BidiService): Handler {
	return async (exchange) => {
		const request = await singleMessage(exchange);
		const stream = request && ResponseStream.open(exchange, request.framing, rpc, backend);
		if (!stream) return;
		const messages = [request.message];
		await serve(backend, service, {
			rpc,
			requestId: exchange.headers["x-request-id"] ?? "",
			exchange,
			clientGone: exchange.clientGone,
			receive: async () => messages.shift(),
			send: (payload) => stream.send(payload),
			ready: () => stream.ready(),
			end: (failure) => stream.end(failure),
			struck: (fault) => stream.struck.has(fault),
			drop: () => exchange.cutConnectionAfterWrites(),
		});
	};
}
