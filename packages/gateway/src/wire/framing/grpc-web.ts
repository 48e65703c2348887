import { BinaryReader, WireType } from "@bufbuild/protobuf/wire";
import { WireError } from "../errors.ts";
import { cutMessage, type EndStream, MAX_DETAILS, RPC_CODES, type RpcErrorDetail } from "./end-stream.ts";

const STATUS = "grpc-status";
const MESSAGE = "grpc-message";
const DETAILS = "grpc-status-details-bin";

/**
 * Reads the last envelope of a gRPC-Web stream: the trailers as lines of an HTTP/1 header block, one of which is the
 * status. https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md
 */
export function parseGrpcTrailers(payload: Uint8Array): EndStream {
	const lines = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString("latin1").split(/\r?\n/);
	const metadata: Record<string, string[]> = Object.create(null);
	for (const line of lines) {
		const colon = line.indexOf(":");
		if (colon < 1) continue;
		const name = line.slice(0, colon).trim().toLowerCase();
		metadata[name] = [...(metadata[name] ?? []), line.slice(colon + 1).trim()];
	}
	return grpcEnd(metadata);
}

/** The end that trailers describe. A call that fails at once sends them as headers ("Trailers-Only" in gRPC). */
export function grpcEnd(metadata: Record<string, string[]>): EndStream {
	const status = metadata[STATUS]?.[0] ?? "";
	if (!/^\d{1,5}$/.test(status)) throw new WireError("bad-end-stream", "the end of the stream has no status");
	if (Number(status) === 0) return { metadata };
	const error = {
		code: RPC_CODES[Number(status) - 1] ?? "unknown",
		message: cutMessage(percentDecoded(metadata[MESSAGE]?.[0] ?? "")),
		details: readDetails(metadata[DETAILS]?.[0] ?? ""),
	};
	return { error, metadata };
}

/** gRPC percent-encodes `grpc-message`. A text that is not valid is returned as it is. */
function percentDecoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

/** `google.rpc.Status` { 3 details: Any { 1 type_url, 2 value } }. Details that cannot be read are omitted. */
function readDetails(base64: string): RpcErrorDetail[] {
	const details: RpcErrorDetail[] = [];
	try {
		for (const [field, bytes] of fields(Buffer.from(base64, "base64"))) {
			if (field === 3 && details.length < MAX_DETAILS) details.push(anyDetail(bytes));
		}
	} catch {
		// The error itself remains valid.
	}
	return details;
}

function anyDetail(bytes: Uint8Array): RpcErrorDetail {
	const detail: RpcErrorDetail = { type: "", value: new Uint8Array() };
	for (const [field, value] of fields(bytes)) {
		if (field === 1) detail.type = Buffer.from(value).toString("utf8");
		if (field === 2) detail.value = value;
	}
	return detail;
}

/** The length-delimited fields of a message. */
function* fields(bytes: Uint8Array): Generator<[field: number, value: Uint8Array]> {
	const reader = new BinaryReader(bytes);
	while (reader.pos < reader.len) {
		const [field, type] = reader.tag();
		if (type === WireType.LengthDelimited) yield [field, reader.bytes()];
		else reader.skip(type, field);
	}
}
