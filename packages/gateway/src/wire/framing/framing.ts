import type { HeaderMap } from "../stream.ts";
import { type EndStream, parseEndStream } from "./end-stream.ts";
import { CONNECT_FLAGS, EnvelopeFlag, GRPC_WEB_FLAGS } from "./envelope.ts";
import { grpcEnd, parseGrpcTrailers } from "./grpc-web.ts";

/** How a stream frames its messages. Both framings use the same envelopes, with other headers and another end. */
export interface StreamFraming {
	readonly contentType: string;
	/** Headers of a request, including its content type. */
	readonly headers: Readonly<Record<string, string>>;
	/** The response header that names the coding of compressed messages. */
	readonly codingHeader: string;
	readonly allowedFlags: number;
	/** The flag of the last envelope. */
	readonly endFlag: number;
	parseEnd(payload: Uint8Array): EndStream;
	/** The end of the stream, if the response headers already contain it. */
	endInHeaders(headers: HeaderMap): EndStream | undefined;
}

/** The headers of a stream, with those of its framing. Most have them already. */
export function framedHeaders(
	headers: Readonly<Record<string, string>>,
	framing: StreamFraming,
): Readonly<Record<string, string>> {
	for (const name in framing.headers) {
		if (headers[name] !== framing.headers[name]) return { ...headers, ...framing.headers };
	}
	return headers;
}

/** https://connectrpc.com/docs/protocol#streaming-rpcs */
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

/** https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-WEB.md */
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
