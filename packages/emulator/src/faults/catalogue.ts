/** Where a fault can strike. Frames, bytes and appends are counted from 1 within one stream. */
export type Place = "connect" | "headers" | "frame" | "byte" | "end" | "after-end" | "append";

interface FaultEntry {
	places: Place[];
	/** One line for the help. `V` is the value after `=`. */
	about: string;
}

/** How a fault is written. */
export const FAULT_SYNTAX =
	"name[=value]@place[:number][*times][%percent][/Rpc], for example reset@frame:7 or status=503@headers*2";

/** Every fault by name. strike.ts applies those of streams, bidi/append.ts those of appends. */
export const FAULTS: Record<string, FaultEntry> = {
	// The transport breaks
	reset: {
		places: ["headers", "frame", "byte", "end", "after-end"],
		about: "RST_STREAM with code V (default INTERNAL_ERROR); over HTTP/1.1 the connection is reset",
	},
	cut: { places: ["connect", "headers", "frame", "byte", "end"], about: "the connection is closed without any end" },
	goaway: { places: ["headers", "frame"], about: "GOAWAY with code V (default NO_ERROR); open streams continue" },
	"goaway-refuse": { places: ["headers", "frame"], about: "GOAWAY that says this stream was not processed, code V" },
	"http1-required": { places: ["headers"], about: "RST_STREAM HTTP_1_1_REQUIRED" },
	// Time
	stall: {
		places: ["headers", "frame", "byte", "end", "append"],
		about: "nothing more is sent, the stream stays open",
	},
	"heartbeats-only": { places: ["frame"], about: "from here on only heartbeats are sent" },
	linger: { places: ["after-end"], about: "the end-of-stream message is sent, but the stream stays open" },
	delay: { places: ["frame", "append"], about: "waits V ms (default 1000), once" },
	latency: { places: ["frame"], about: "every write from here on is delayed by V ms (default 200)" },
	bandwidth: { places: ["frame"], about: "V bytes per second from here on (default 8000)" },
	// Bytes
	slice: { places: ["frame"], about: "writes of V bytes (default 1) from here on" },
	coalesce: { places: ["frame"], about: "everything from here on is sent in one write at the end" },
	"empty-frame": { places: ["frame"], about: "V messages of zero bytes (default 1)" },
	"huge-length": { places: ["frame"], about: "a header that claims V bytes (default 4294967295), then nothing" },
	truncate: { places: ["frame"], about: "half of the message, then the end of the body" },
	gzip: { places: ["frame"], about: "this message is compressed" },
	"unknown-coding": {
		places: ["headers"],
		about: "messages are flagged as compressed with a coding that the client did not offer",
	},
	"false-compressed": { places: ["frame"], about: "the compressed flag on a message that is not compressed" },
	bomb: { places: ["frame"], about: "a compressed message that inflates to V MiB (default 64)" },
	"reserved-flags": { places: ["frame"], about: "flag bits V (default 0x40) that the protocol does not define" },
	"split-code-point": { places: ["frame"], about: "an emoji whose bytes come in two text deltas" },
	"bad-utf8": { places: ["frame"], about: "a text delta with lone continuation bytes and overlong forms" },
	// The end
	"no-end-stream": { places: ["frame", "end"], about: "the body ends without an end-of-stream message" },
	"double-end": { places: ["end"], about: "two end-of-stream messages" },
	"data-after-end": { places: ["end"], about: "a message after the end-of-stream message" },
	error: {
		places: ["frame", "end"],
		about: "end of stream with Connect code V or ErrorDetails name V (default unavailable)",
	},
	"bad-error": {
		places: ["frame", "end"],
		about: "a malformed error, V = null-code, unknown-code, no-message, bad-details, long-message or not-json",
	},
	"error-trailers": {
		places: ["frame", "end"],
		about: "the last message has no error but Connect code V (default unavailable) as connect-error-code",
	},
	"http-trailers": {
		places: ["frame", "end"],
		about: "no last message; Connect code V (default unavailable) as connect-error-code in HTTP trailers",
	},
	// Responses in place of a stream
	status: { places: ["headers", "append"], about: "HTTP status V with a plain body" },
	html: { places: ["headers"], about: "status V (default 502) with an HTML page, as a proxy sends" },
	redirect: { places: ["headers"], about: "302 to V" },
	"wrong-type": { places: ["headers"], about: "200 with content type text/html" },
	hollow: {
		places: ["headers"],
		about: "200 with the right type and an empty body, as a host of the wrong region responds",
	},
	"trailers-only": { places: ["headers"], about: "200 and nothing but the end-of-stream error" },
	// What a newer server may send
	"unknown-update": { places: ["frame"], about: "an interaction update of an unknown kind" },
	"unknown-exec": { places: ["frame"], about: "an exec request of an unknown kind; the turn waits for its answer" },
	"unknown-query": {
		places: ["frame"],
		about: "an interaction query of an unknown kind; the turn waits for its answer",
	},
	"unknown-message": { places: ["frame"], about: "a server message of an unknown kind" },
	"unknown-enum": { places: ["frame"], about: "an unknown enum value" },
	"new-fields": { places: ["frame"], about: "known messages with unknown fields" },
	flood: { places: ["frame"], about: "V tiny text deltas (default 100000) as fast as they are read" },
	// Appends (the HTTP/1.1 channel)
	"drop-append": { places: ["append"], about: "the append is acknowledged and discarded" },
};
