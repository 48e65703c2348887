import { create, type MessageInitShape, toBinary, toJson } from "@bufbuild/protobuf";
import { type ErrorDetails, ErrorDetails_Error, ErrorDetailsSchema } from "@cursorwire/protocol/aiserver";
import { encodeVarintField, lengthDelimited } from "./raw-proto.ts";

/**
 * Connect's error codes, each with the HTTP status of a unary response ("Error Codes" in
 * https://connectrpc.com/docs/protocol) and with gRPC's number for the trailer of grpc-web.
 */
export const CODES = {
	canceled: { status: 499, grpc: 1 },
	unknown: { status: 500, grpc: 2 },
	invalid_argument: { status: 400, grpc: 3 },
	deadline_exceeded: { status: 504, grpc: 4 },
	not_found: { status: 404, grpc: 5 },
	already_exists: { status: 409, grpc: 6 },
	permission_denied: { status: 403, grpc: 7 },
	resource_exhausted: { status: 429, grpc: 8 },
	failed_precondition: { status: 400, grpc: 9 },
	aborted: { status: 409, grpc: 10 },
	out_of_range: { status: 400, grpc: 11 },
	unimplemented: { status: 501, grpc: 12 },
	internal: { status: 500, grpc: 13 },
	unavailable: { status: 503, grpc: 14 },
	data_loss: { status: 500, grpc: 15 },
	unauthenticated: { status: 401, grpc: 16 },
} as const;

export type Code = keyof typeof CODES;
/** `ERROR_BAD_MODEL_NAME` and so on, as the wire spells them. */
export type ErrorName = `ERROR_${keyof typeof ErrorDetails_Error}`;

export interface FailureDetails {
	error: ErrorName;
	title?: string;
	detail?: string;
	isRetryable?: boolean;
	additionalInfo?: Record<string, string>;
}

/** An error of the backend, sent in place of a response: docs/protocol.md, Errors. */
export class RpcFailure extends Error {
	readonly code: Code;
	readonly details: ErrorDetails | undefined;
	readonly metadata: Record<string, string>;

	constructor(code: Code, message: string, details?: FailureDetails, metadata: Record<string, string> = {}) {
		super(message);
		this.code = code;
		this.details = details && toErrorDetails(details);
		this.metadata = metadata;
	}

	/** `{"code","message","details"}`: the body of a unary error, and `error` in an end-of-stream message. */
	toJson(): { code: Code; message: string; details?: unknown[] } {
		if (!this.details) return { code: this.code, message: this.message };
		const value = Buffer.from(toBinary(ErrorDetailsSchema, this.details)).toString("base64").replace(/=+$/, "");
		return {
			code: this.code,
			message: this.message,
			details: [{ type: "aiserver.v1.ErrorDetails", value, debug: toJson(ErrorDetailsSchema, this.details) }],
		};
	}
}

function toErrorDetails(details: FailureDetails): ErrorDetails {
	const init: MessageInitShape<typeof ErrorDetailsSchema> = {
		error: ErrorDetails_Error[details.error.slice("ERROR_".length) as keyof typeof ErrorDetails_Error],
		details: {
			title: details.title ?? "",
			detail: details.detail ?? "",
			isRetryable: details.isRetryable,
			additionalInfo: details.additionalInfo ?? {},
		},
		isExpected: true,
	};
	return create(ErrorDetailsSchema, init);
}

/** The last message of a Connect stream, in JSON: docs/protocol.md, The end of a run. */
export function endStreamPayload(failure?: RpcFailure): Buffer {
	if (!failure) return Buffer.from("{}");
	const metadata = Object.fromEntries(Object.entries(failure.metadata).map(([name, value]) => [name, [value]]));
	return Buffer.from(
		JSON.stringify({ error: failure.toJson(), ...(Object.keys(metadata).length > 0 && { metadata }) }),
	);
}

/** The payload of grpc-web's trailer frame. */
export function grpcWebTrailers(failure?: RpcFailure): Buffer {
	if (!failure) return Buffer.from("grpc-status: 0\r\n");
	const lines = [`grpc-status: ${CODES[failure.code].grpc}`, `grpc-message: ${encodeURIComponent(failure.message)}`];
	for (const [name, value] of Object.entries(failure.metadata)) lines.push(`${name}: ${value}`);
	if (failure.details) {
		const status = grpcStatus(CODES[failure.code].grpc, failure.message, failure.details);
		lines.push(`grpc-status-details-bin: ${status.toString("base64").replace(/=+$/, "")}`);
	}
	return Buffer.from(`${lines.join("\r\n")}\r\n`);
}

/** google.rpc.Status {1 code, 2 message, 3 details: Any {1 type_url, 2 value}}, written by hand for this one use. */
function grpcStatus(code: number, message: string, details: ErrorDetails): Buffer {
	const any = Buffer.concat([
		lengthDelimited(1, Buffer.from("type.googleapis.com/aiserver.v1.ErrorDetails")),
		lengthDelimited(2, toBinary(ErrorDetailsSchema, details)),
	]);
	return Buffer.concat([encodeVarintField(1, code), lengthDelimited(2, Buffer.from(message)), lengthDelimited(3, any)]);
}
