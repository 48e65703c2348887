import { WireError } from "../errors.ts";

/** The error codes of Connect, each at its gRPC number minus one. https://connectrpc.com/docs/protocol#error-codes */
export const RPC_CODES = [
	"canceled",
	"unknown",
	"invalid_argument",
	"deadline_exceeded",
	"not_found",
	"already_exists",
	"permission_denied",
	"resource_exhausted",
	"failed_precondition",
	"aborted",
	"out_of_range",
	"unimplemented",
	"internal",
	"unavailable",
	"data_loss",
	"unauthenticated",
] as const;

export type RpcCode = (typeof RPC_CODES)[number];

/** A protobuf message attached to an error, undecoded. */
export interface RpcErrorDetail {
	type: string;
	value: Uint8Array;
	/** The message as JSON. Servers may omit it. */
	debug?: unknown;
}

/** An error that the server reported, as Connect represents it. */
export interface RpcError {
	/** "unknown" also if the code is missing or not one of `RPC_CODES`. */
	code: RpcCode;
	/** At most 2 KB. */
	message: string;
	details: RpcErrorDetail[];
}

/** The content of the last envelope of a stream (EndStreamResponse in Connect, trailers in gRPC-Web). */
export interface EndStream {
	/** Absent when the call succeeded. */
	error?: RpcError;
	metadata: Record<string, string[]>;
}

const MAX_MESSAGE_LENGTH = 2048;
export const MAX_DETAILS = 32;
const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
const KNOWN_CODES: ReadonlySet<unknown> = new Set(RPC_CODES);

type JsonObject = Record<string, unknown>;

/**
 * Reads the JSON of an end-of-stream envelope (https://connectrpc.com/docs/protocol#error-end-stream). It only refuses
 * what is not a JSON object: whatever is wrong inside an error, the user still has to learn that there was one.
 */
export function parseEndStream(payload: Uint8Array): EndStream {
	if (isEmptyObject(payload)) return { metadata: NO_METADATA };
	const json = parseObject(payload);
	const metadata = readMetadata(json.metadata);
	const named = json.error === undefined || json.error === null ? undefined : readError(json.error);
	const error = named ?? errorInTrailers(json) ?? errorInTrailers(metadata);
	return error ? { error, metadata } : { metadata };
}

const NO_METADATA: Record<string, string[]> = Object.freeze(Object.create(null));

/** `{}`, the end of nearly every stream. */
const isEmptyObject = (payload: Uint8Array) => payload.length === 2 && payload[0] === 0x7b && payload[1] === 0x7d;

const TRAILER_CODE = "connect-error-code";
const TRAILER_MESSAGE = "connect-error-message";

/** The error in a set of trailers. Its code is a name or the gRPC number. */
export function errorInTrailers(trailers: Readonly<JsonObject>): RpcError | undefined {
	if (trailers[TRAILER_CODE] === undefined && trailers[TRAILER_MESSAGE] === undefined) return undefined;
	const [code] = [trailers[TRAILER_CODE]].flat();
	const [message] = [trailers[TRAILER_MESSAGE]].flat();
	if (code === undefined && message === undefined) return undefined;
	return readError({ code: RPC_CODES[Number(code) - 1] ?? code, message });
}

/** Reads the JSON body of a failed unary call, `{"code","message","details"}` ("Error" in the Connect protocol). */
export function parseErrorBody(payload: Uint8Array): RpcError {
	return readError(parseObject(payload));
}

function parseObject(payload: Uint8Array): JsonObject {
	let json: unknown;
	try {
		json = JSON.parse(Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString("utf8"));
	} catch (cause) {
		throw new WireError("bad-end-stream", "the end of the stream is not JSON", { cause });
	}
	if (!isObject(json)) throw new WireError("bad-end-stream", "the end of the stream is not a JSON object");
	return json;
}

function readError(json: unknown): RpcError {
	if (!isObject(json)) return { code: "unknown", message: "", details: [] };
	return {
		code: KNOWN_CODES.has(json.code) ? (json.code as RpcCode) : "unknown",
		message: typeof json.message === "string" ? cutMessage(json.message) : "",
		details: Array.isArray(json.details) ? json.details.slice(0, MAX_DETAILS).flatMap(readDetail) : [],
	};
}

function readDetail(json: unknown): RpcErrorDetail[] {
	if (!isObject(json)) return [];
	const { type, value, debug } = json;
	if (typeof type !== "string" || typeof value !== "string" || !BASE64.test(value)) return [];
	const detail: RpcErrorDetail = { type, value: Buffer.from(value, "base64") };
	if (debug !== undefined) detail.debug = debug;
	return [detail];
}

function readMetadata(json: unknown): Record<string, string[]> {
	const metadata: Record<string, string[]> = Object.create(null);
	if (!isObject(json)) return metadata;
	for (const [name, values] of Object.entries(json)) {
		if (!Array.isArray(values)) continue;
		metadata[name.toLowerCase()] = values.filter((value) => typeof value === "string");
	}
	return metadata;
}

/** At most 2 KB, without half a surrogate pair at the end. */
export function cutMessage(message: string): string {
	if (message.length <= MAX_MESSAGE_LENGTH) return message;
	const cut = message.slice(0, MAX_MESSAGE_LENGTH);
	const last = cut.charCodeAt(MAX_MESSAGE_LENGTH - 1);
	const isHalfPair = last >= 0xd800 && last <= 0xdbff;
	return isHalfPair ? cut.slice(0, -1) : cut;
}

function isObject(value: unknown): value is JsonObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
