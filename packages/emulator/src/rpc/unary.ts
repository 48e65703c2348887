import {
	create,
	type DescMessage,
	type DescMethod,
	fromBinary,
	fromJson,
	type JsonValue,
	type MessageInitShape,
	type MessageShape,
	toBinary,
	toJson,
} from "@bufbuild/protobuf";
import type { Exchange } from "../http/exchange.ts";
import type { Handler } from "../http/router.ts";
import { EnvelopeReader, encodeEnvelope, FLAG } from "./envelope.ts";
import { CODES, grpcWebTrailers, RpcFailure } from "./failure.ts";
import { type Framing, framingOf } from "./framing.ts";
import { inflate, MAX_MESSAGE } from "./inflate.ts";

/** What is needed here of a generated unary method. */
export type UnaryMethod<I extends DescMessage, O extends DescMessage> = DescMethod & { input: I; output: O };

export type UnaryImplementation<I extends DescMessage, O extends DescMessage> = (
	request: MessageShape<I>,
	exchange: Exchange,
) => Promise<MessageInitShape<O>> | MessageInitShape<O>;

export interface UnaryOptions {
	/** Wraps a proto response in an envelope, as Cursor's own server has been seen to do. */
	enveloped?: () => boolean;
}

/**
 * The handler of one unary RPC, in proto, JSON or grpc-web. "Unary RPCs" in https://connectrpc.com/docs/protocol; errors
 * by docs/protocol.md, Errors.
 */
export function unary<I extends DescMessage, O extends DescMessage>(
	method: UnaryMethod<I, O>,
	implementation: UnaryImplementation<I, O>,
	observe: (exchange: Exchange, request: JsonValue) => void,
	options: UnaryOptions = {},
): Handler {
	return async (exchange) => {
		const framing = framingOf(exchange.headers["content-type"]);
		if (framing === undefined || framing === "connect" || framing === "connect-json") {
			exchange.text(415, "unary calls take application/proto, application/json or application/grpc-web+proto\n");
			return;
		}
		try {
			const request = decode(method.input, framing, await exchange.body());
			observe(exchange, toJson(method.input, request));
			const response = create(method.output, await implementation(request, exchange));
			respond(exchange, framing, method.output, response, options.enveloped?.() ?? false);
		} catch (error) {
			refuse(exchange, framing, toFailure(error));
		}
	};
}

export function toFailure(error: unknown): RpcFailure {
	if (error instanceof RpcFailure) return error;
	return new RpcFailure("internal", error instanceof Error ? error.message : String(error));
}

function decode<I extends DescMessage>(schema: I, framing: Framing, body: Buffer): MessageShape<I> {
	try {
		if (framing === "unary-json") {
			return fromJson(schema, JSON.parse(body.toString("utf8") || "{}"), { ignoreUnknownFields: true });
		}
		return fromBinary(schema, framing === "grpc-web" ? unwrap(body) : body);
	} catch (error) {
		throw new RpcFailure("invalid_argument", `cannot read ${schema.typeName}: ${(error as Error).message}`);
	}
}

function unwrap(body: Buffer): Uint8Array {
	const reader = new EnvelopeReader(MAX_MESSAGE);
	reader.push(body);
	const envelope = reader.next();
	if (!envelope) throw new Error("no complete envelope");
	return inflate(envelope, "gzip");
}

function respond<O extends DescMessage>(
	exchange: Exchange,
	framing: Framing,
	schema: O,
	message: MessageShape<O>,
	enveloped: boolean,
): void {
	if (framing === "unary-json") exchange.json(200, toJson(schema, message));
	else if (framing === "unary-proto") {
		const bytes = toBinary(schema, message);
		exchange.send(200, { "content-type": "application/proto" }, enveloped ? encodeEnvelope(0, bytes) : bytes);
	} else {
		const frames = [
			encodeEnvelope(0, toBinary(schema, message)),
			encodeEnvelope(FLAG.grpcWebTrailer, grpcWebTrailers()),
		];
		exchange.send(200, { "content-type": "application/grpc-web+proto" }, Buffer.concat(frames));
	}
}

function refuse(exchange: Exchange, framing: Framing, failure: RpcFailure): void {
	if (framing === "grpc-web") {
		const trailer = encodeEnvelope(FLAG.grpcWebTrailer, grpcWebTrailers(failure));
		exchange.send(200, { "content-type": "application/grpc-web+proto" }, trailer);
	} else {
		exchange.json(CODES[failure.code].status, failure.toJson(), failure.metadata);
	}
}
