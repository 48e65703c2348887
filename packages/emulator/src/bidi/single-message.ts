import type { DescMessage } from "@bufbuild/protobuf";
import type { Exchange } from "../http/exchange.ts";
import { EnvelopeReader } from "../rpc/envelope.ts";
import { type Framing, framingOf, streamContentType } from "../rpc/framing.ts";
import { inflate, MAX_MESSAGE, requestCoding } from "../rpc/inflate.ts";
import { jsonToProto } from "../rpc/json-messages.ts";

export const WRONG_STREAM_TYPE =
	"streams take application/connect+proto or application/grpc-web+proto, those of AgentService application/connect+json\n";

/** The one message of a server-streaming call. Returns undefined after it has refused the request. */
export async function singleMessage(
	exchange: Exchange,
	jsonType?: DescMessage,
): Promise<{ framing: Framing; message: Uint8Array } | undefined> {
	const framing = framingOf(exchange.headers["content-type"]);
	if (!framing || !streamContentType(framing) || (framing === "connect-json" && !jsonType)) {
		exchange.text(415, WRONG_STREAM_TYPE);
		return undefined;
	}
	const reader = new EnvelopeReader(MAX_MESSAGE);
	reader.push(await exchange.body());
	const envelope = reader.next();
	if (!envelope) {
		exchange.text(400, "the body must be one envelope\n");
		return undefined;
	}
	const message = inflate(envelope, requestCoding(exchange.headers));
	return { framing, message: framing === "connect-json" ? jsonToProto(jsonType!, message) : message };
}
