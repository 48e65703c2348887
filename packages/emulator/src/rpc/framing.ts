/** How messages are wrapped on the wire; the content type says which: docs/protocol.md, Framing. */
export type Framing = "unary-proto" | "unary-json" | "connect" | "connect-json" | "grpc-web";

const BY_CONTENT_TYPE: Record<string, Framing> = {
	"application/proto": "unary-proto",
	"application/json": "unary-json",
	"application/connect+proto": "connect",
	"application/connect+json": "connect-json",
	"application/grpc-web": "grpc-web",
	"application/grpc-web+proto": "grpc-web",
};

export function framingOf(contentType: string | undefined): Framing | undefined {
	return BY_CONTENT_TYPE[(contentType ?? "").split(";")[0]!.trim().toLowerCase()];
}

const STREAMS: Partial<Record<Framing, string>> = {
	connect: "application/connect+proto",
	"connect-json": "application/connect+json",
	"grpc-web": "application/grpc-web+proto",
};

/** The content type of a streamed response; undefined if the framing is for unary calls. */
export function streamContentType(framing: Framing | undefined): string | undefined {
	return framing && STREAMS[framing];
}
