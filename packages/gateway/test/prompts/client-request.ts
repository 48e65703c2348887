// What a client sent, in no API's words and read without any of the gateway's code.

export interface ClientRequest {
	/** System texts that stand before the conversation. */
	system: string[];
	messages: ClientMessage[];
	tools: ClientTool[];
}

export interface ClientMessage {
	/** `system` also for developers' messages, wherever they stand. */
	role: "system" | "user" | "assistant" | "tool";
	texts: string[];
	images: ClientImage[];
	calls: ClientCall[];
}

export interface ClientImage {
	sha256: string;
	dataUrl: string;
}

export interface ClientCall {
	name: string;
	/** Parsed; free text as it is. */
	args: unknown;
}

export interface ClientTool {
	name: string;
	description: string;
	/** Undefined for a tool that takes free text. */
	schema: unknown;
}

/** One request and its answer, as they crossed the wire between client and gateway. */
export interface Exchange {
	/** Without a query. */
	path: string;
	// biome-ignore lint/suspicious/noExplicitAny: bodies of three APIs, read field by field
	body: any;
	status: number;
	/** Of the response: JSON, or a stream of events. */
	answer: string;
}
