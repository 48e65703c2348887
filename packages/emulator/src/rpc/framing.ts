/** How messages are wrapped on the wire, by content type. */
export type Framing = "unary-proto" | "unary-json" | "connect" | "grpc-web";

const BY_CONTENT_TYPE: Record<string, Framing> = {
	"application/proto": "unary-proto",
	"application/json": "unary-json",
	"application/connect+proto": "connect",
	"application/grpc-web": "grpc-web",
	"application/grpc-web+proto": "grpc-web",
};

export function framingOf(contentType: string | undefined): Framing | undefined {
	return BY_CONTENT_TYPE[(contentType ?? "").split(";")[0]!.trim().toLowerCase()];
}

export function streamContentType(framing: Framing): string {
	return framing === "grpc-web" ? "application/grpc-web+proto" : "application/connect+proto";
}
