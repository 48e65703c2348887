import type { HeaderMap } from "../stream.ts";
import { type EndStream, parseEndStream } from "./end-stream.ts";
import { CONNECT_FLAGS, EnvelopeFlag, GRPC_WEB_FLAGS } from "./envelope.ts";
import { grpcEnd, parseGrpcTrailers } from "./grpc-web.ts";

/** How a stream of messages is wrapped. Both wrap a message alike and differ in headers and in how a stream ends. */
export interface StreamFraming {
	readonly contentType: string;
	/** Headers of a request, its content type among them. */
	readonly headers: Readonly<Record<string, string>>;
	/** The response header that names the coding of compressed messages. */
	readonly codingHeader: string;
	readonly allowedFlags: number;
	/** The flag of the last envelope. */
	readonly endFlag: number;
	parseEnd(payload: Uint8Array): EndStream;
	/** An end that the response headers already tell. */
	endInHeaders(headers: HeaderMap): EndStream | undefined;
}

export const CONNECT_FRAMING: StreamFraming = {
	contentType: "application/connect+proto",
	headers: {
		"content-type": "application/connect+proto",
		"connect-protocol-version": "1",
		"connect-accept-encoding": "gzip,br",
	},
	codingHeader: "connect-content-encoding",
	allowedFlags: CONNECT_FLAGS,
	endFlag: EnvelopeFlag.END_STREAM,
	parseEnd: parseEndStream,
	endInHeaders: () => undefined,
};

export const GRPC_WEB_FRAMING: StreamFraming = {
	contentType: "application/grpc-web",
	headers: {
		"content-type": "application/grpc-web+proto",
		"x-grpc-web": "1",
		"grpc-accept-encoding": "gzip",
	},
	codingHeader: "grpc-encoding",
	allowedFlags: GRPC_WEB_FLAGS,
	endFlag: EnvelopeFlag.TRAILER,
	parseEnd: parseGrpcTrailers,
	endInHeaders(headers) {
		if (headers["grpc-status"] === undefined) return undefined;
		const lists = Object.entries(headers).map(([name, value]) => [name, value === undefined ? [] : [value].flat()]);
		return grpcEnd(Object.fromEntries(lists));
	},
};
