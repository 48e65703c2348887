import {
	create,
	type DescMessage,
	type DescMethodUnary,
	fromBinary,
	type MessageInitShape,
	type MessageShape,
	toBinary,
} from "@bufbuild/protobuf";
import { GatewayError } from "../../turn/error.ts";
import { inflate, inflateEnvelope } from "../../wire/framing/compression.ts";
import { parseEndStream } from "../../wire/framing/end-stream.ts";
import { EnvelopeFlag, EnvelopeReader } from "../../wire/framing/envelope.ts";
import type { Transport } from "../../wire/stream.ts";
import { type UnaryResponse, unary } from "../../wire/unary.ts";
import type { CountUnknown } from "../census/census.ts";
import { countFailure } from "../census/count-failure.ts";
import { decodeHttpError } from "../errors/decode-http-error.ts";
import { decodeRpcError } from "../errors/decode-rpc-error.ts";
import { decodeThrown } from "../errors/decode-wire-error.ts";
import { withOtherVersions } from "../errors/outdated-client.ts";
import type { Observe } from "../run/observe.ts";
import { type ClientIdentity, unaryHeaders } from "./identity.ts";
import type { TokenSource } from "./token-source.ts";

/** Everything a unary call needs to know about its account. */
export interface RpcClient {
	transport: Transport;
	/** Base URL of Cursor's backend. A path in it is kept. */
	baseUrl: URL;
	/** Accounts never share a connection. */
	connectionKey: string;
	tokens: TokenSource;
	identity: ClientIdentity;
	/** Whether the account is in privacy mode, as far as is known. */
	ghostMode(): boolean;
	newId(): string;
	/** Inspects responses for unknown parts. */
	countUnknown: CountUnknown;
	/** Milliseconds since the epoch. */
	now(): number;
	observe?: Observe | undefined;
}

export interface CallOptions {
	/** Time limit for one attempt, 15 s by default. */
	deadlineMs?: number;
	signal?: AbortSignal;
}

const DEFAULT_DEADLINE_MS = 15_000;
const PROTO_TYPES = new Set(["", "application/proto", "application/connect+proto", "application/octet-stream"]);
/** No protobuf message begins with a byte below 8 (field numbers start at 1), so such a byte holds envelope flags. */
const HIGHEST_FLAGS = 3;

/**
 * Makes one unary Connect call. Fails only with a `GatewayError`. If the token is refused, this is reported to its
 * source, and the call is repeated once with the next token.
 */
export async function callUnary<I extends DescMessage, O extends DescMessage>(
	client: RpcClient,
	method: DescMethodUnary<I, O>,
	request: MessageInitShape<I>,
	options: CallOptions = {},
): Promise<MessageShape<O>> {
	const body = toBinary(method.input, create(method.input, request));
	const token = await client.tokens.token();
	try {
		return await attempt(client, method, body, token, options);
	} catch (error) {
		if (!(error instanceof GatewayError) || error.kind !== "signed-out") throw error;
	}
	await client.tokens.tokenRefused(token);
	return attempt(client, method, body, await client.tokens.token(), options);
}

async function attempt<I extends DescMessage, O extends DescMessage>(
	client: RpcClient,
	method: DescMethodUnary<I, O>,
	body: Uint8Array,
	token: string,
	{ deadlineMs = DEFAULT_DEADLINE_MS, signal }: CallOptions,
): Promise<MessageShape<O>> {
	const { identity, baseUrl } = client;
	const facts = { token, ghostMode: client.ghostMode(), requestId: client.newId(), now: client.now() };
	try {
		const response = await unary(
			client.transport,
			{
				origin: baseUrl,
				key: client.connectionKey,
				path: pathUnder(baseUrl, `/${method.parent.typeName}/${method.name}`),
				headers: unaryHeaders(identity, facts),
				deadlineMs,
				...(signal && { signal }),
			},
			body,
		);
		const { isEnveloped, bytes } = messageBytes(response);
		client.observe?.(client.connectionKey, "enveloped-unary", isEnveloped ? "on" : "off");
		const answer = decodeMessage(method.output, bytes);
		client.countUnknown(method.output, answer);
		return answer;
	} catch (error) {
		const failure = decodeThrown(error);
		countFailure(failure, client.countUnknown);
		throw withOtherVersions(failure, identity);
	}
}

/** A path below a base URL. */
export function pathUnder(baseUrl: URL, path: string): string {
	return baseUrl.pathname.replace(/\/+$/, "") + path;
}

/** The bytes of the response without content coding and envelope. Throws the decoded error if the response is one. */
function messageBytes(response: UnaryResponse): { isEnveloped: boolean; bytes: Uint8Array } {
	const type = String(response.headers["content-type"] ?? "")
		.split(";")[0]!
		.trim();
	if (response.status !== 200 || !PROTO_TYPES.has(type)) throw decodeHttpError(response);
	const coding = response.headers["content-encoding"] as string | undefined;
	const body = inflate(response.body, coding);
	const isEnveloped = body.length > 0 && body[0]! <= HIGHEST_FLAGS;
	const inner = response.headers["connect-content-encoding"] as string | undefined;
	return { isEnveloped, bytes: isEnveloped ? openEnvelopes(body, inner) : body };
}

/** The real backend has been seen wrapping a unary response like a stream of one message. */
function openEnvelopes(body: Uint8Array, coding: string | undefined): Uint8Array {
	const reader = new EnvelopeReader();
	reader.push(body);
	let message: Uint8Array | undefined;
	for (let envelope = reader.next(); envelope !== undefined; envelope = reader.next()) {
		const payload = inflateEnvelope(envelope, coding);
		if ((envelope.flags & EnvelopeFlag.END_STREAM) === 0) {
			message ??= payload;
			continue;
		}
		const { error, metadata } = parseEndStream(payload);
		if (error) throw decodeRpcError(error, metadata);
	}
	reader.finish();
	return message ?? new Uint8Array();
}

function decodeMessage<O extends DescMessage>(schema: O, bytes: Uint8Array): MessageShape<O> {
	try {
		return fromBinary(schema, bytes);
	} catch (cause) {
		throw new GatewayError("upstream-protocol", undefined, { detail: `Unreadable ${schema.typeName}.`, cause });
	}
}
