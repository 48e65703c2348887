import type { Exchange } from "../http/exchange.ts";
import { EnvelopeReader } from "../rpc/envelope.ts";
import { type Framing, framingOf } from "../rpc/framing.ts";
import { inflate, MAX_MESSAGE, requestCoding } from "../rpc/inflate.ts";

/** The one message of a server-streaming call, or undefined after the request has been refused. */
export async function singleMessage(
	exchange: Exchange,
): Promise<{ framing: Framing; message: Uint8Array } | undefined> {
	const framing = framingOf(exchange.headers["content-type"]);
	if (framing !== "connect" && framing !== "grpc-web") {
		exchange.text(415, "streams take application/connect+proto or application/grpc-web+proto\n");
		return undefined;
	}
	const reader = new EnvelopeReader(MAX_MESSAGE);
	reader.push(await exchange.body());
	const envelope = reader.next();
	if (!envelope) {
		exchange.text(400, "the body must be one envelope\n");
		return undefined;
	}
	return { framing, message: inflate(envelope, requestCoding(exchange.headers)) };
}
