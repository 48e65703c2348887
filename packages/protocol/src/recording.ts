// The format of a recording, which the gateway writes and the emulator plays: one JSON value per line, the header first.
// Messages are in protobuf's JSON form.
import type { DescMessage, JsonObject } from "@bufbuild/protobuf";
import { AgentClientMessageSchema, AgentServerMessageSchema } from "./agent.ts";
import {
	StreamChatRequestSchema,
	StreamChatResponseSchema,
	StreamUnifiedChatRequestWithToolsSchema,
	StreamUnifiedChatResponseWithToolsSchema,
} from "./aiserver.ts";

export const RECORDING_FORMAT = "cursorwire-recording";
export const RECORDING_VERSION = 1;

export type RecordedProtocol = "agent" | "unified" | "legacy";

export interface RecordingHeader {
	format: typeof RECORDING_FORMAT;
	version: typeof RECORDING_VERSION;
	gateway: string;
	runId: string;
	model: string;
	/** ISO 8601. */
	startedAt: string;
	/** Whether texts are unchanged, or their letters and digits are masked. */
	content: "full" | "masked";
}

/** Milliseconds since the start of the run, and what happened then. */
export type RecordingLine = { at: number } & (
	| { what: "opened"; protocol: RecordedProtocol; channel: string }
	/** `unknown`: unknown fields by path, which the JSON form has no place for. */
	| { what: "sent" | "received"; message: JsonObject; unknown?: string[] }
	/** Bytes that are not a message of the protocol. */
	| { what: "undecodable"; bytes: number }
	| { what: "state"; state: string }
	| { what: "closed"; end: RecordedEnd }
	| { what: "over"; how: string }
);

/** How a stream ended. */
export interface RecordedEnd {
	kind: "complete" | "error" | "broken";
	/** The kind of error that the client got, or would have got. */
	error?: string;
	/** The server's error: its code, the value of `ErrorDetails` without its prefix, and its text. */
	code?: string;
	errorName?: string;
	detail?: string;
}

/** The message types of each protocol, as its machine reads them. */
export const RECORDED_MESSAGES: Readonly<Record<RecordedProtocol, { client: DescMessage; server: DescMessage }>> = {
	agent: { client: AgentClientMessageSchema, server: AgentServerMessageSchema },
	unified: {
		client: StreamUnifiedChatRequestWithToolsSchema,
		server: StreamUnifiedChatResponseWithToolsSchema,
	},
	legacy: { client: StreamChatRequestSchema, server: StreamChatResponseSchema },
};
