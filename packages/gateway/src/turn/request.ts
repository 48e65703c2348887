/**
 * What a client asks for, in the neutral language between dialects and protocols. A dialect translates a request of its
 * client API into this form, and a protocol translates this form into what Cursor expects. Neither knows the other, so
 * a new dialect works with every protocol.
 */
export interface TurnRequest {
	/** As the client wrote it. The upstream side finds the model that is meant. */
	model: string;
	/** System texts in order. */
	system: string[];
	messages: readonly TurnMessage[];
	tools: ToolDefinition[];
	toolChoice: ToolChoice;
	/** False: at most one call per reply. */
	parallelToolCalls: boolean;
	limits: OutputLimits;
	thinking: ThinkingWish;
	output: OutputFormat;
	/** The mode to run the model in. Undefined: as the model's name or the settings say, or else as the tools suggest. */
	mode?: TurnMode;
	/** Whether to use Cursor's Max Mode, with the largest context window. Undefined: as the name or the settings say. */
	maxMode?: boolean;
	/** The size of the context window to use, such as `1m`. Undefined: as the model's name says. */
	contextWindow?: string;
	/** Hints such as a session header. They never prove who the caller is. */
	metadata: Readonly<Record<string, string>>;
	/** One line for each setting that is accepted but has no effect. */
	warnings: string[];
}

export type TurnMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
	role: "user";
	content: (TextPart | ImagePart)[];
	/** A reminder (see reminders.ts) that `placeReminders` has not put in its place yet. */
	isReminder?: true;
}

export interface AssistantMessage {
	role: "assistant";
	content: (TextPart | ThinkingPart | ToolCallPart)[];
}

interface ToolMessage {
	role: "tool";
	content: ToolResultPart[];
}

export interface TextPart {
	type: "text";
	text: string;
}

export interface ImagePart {
	type: "image";
	/** image/png, image/jpeg, image/gif or image/webp; empty for a link. */
	mediaType: string;
	/** The content of the file. For a link it is the URL, so that two different links compare as different images. */
	data: Uint8Array;
	/** For a linked image: its URL, which is never fetched but may be passed on, and where it is in the request. */
	link?: { url: string; param: string };
}

export interface ThinkingPart {
	type: "thinking";
	text: string;
	/** Opaque. The client sends it back unchanged. */
	signature?: string;
}

export interface ToolCallPart {
	type: "tool-call";
	id: string;
	name: string;
	/** JSON text as the model wrote it, or plain text for a freeform tool. */
	arguments: string;
}

export interface ToolResultPart {
	type: "tool-result";
	callId: string;
	content: (TextPart | ImagePart)[];
	isError: boolean;
}

export interface ToolDefinition {
	name: string;
	description: string;
	/** JSON schema. It is passed on as data and never compiled. A freeform tool has one string property `input`. */
	inputSchema: Readonly<Record<string, unknown>>;
	/** `freeform`: the arguments of its calls are plain text instead of JSON. */
	kind: "function" | "freeform";
	/** It came to be offered in the course of the conversation, which was the same conversation before. */
	isFoundLater?: true;
}

export type ToolChoice = { kind: "auto" } | { kind: "none" } | { kind: "required" } | { kind: "tool"; name: string };

export interface OutputLimits {
	maxOutputTokens?: number;
	/** The reply ends before the first of these texts. */
	stop: string[];
}

export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type Effort = (typeof EFFORTS)[number];

export interface ThinkingWish {
	/** Undefined: the model's default. */
	effort?: Effort;
}

/** Cursor's modes. Each of its protocols knows some of them. */
export const TURN_MODES = [
	"agent",
	"ask",
	"chat",
	"plan",
	"edit",
	"debug",
	"triage",
	"project",
	"multitask",
	"custom",
] as const;
export type TurnMode = (typeof TURN_MODES)[number];

export type OutputFormat =
	| { kind: "text" }
	| { kind: "json" }
	| {
			kind: "json-schema";
			name: string;
			schema: Readonly<Record<string, unknown>>;
			strict: boolean;
			/** Where the schema is in the client's request, for error messages about it. */
			schemaParam: string;
	  };

/** A request with default values, which dialects and tests fill in. */
export function emptyRequest(model: string): TurnRequest {
	return {
		model,
		system: [],
		messages: [],
		tools: [],
		toolChoice: { kind: "auto" },
		parallelToolCalls: true,
		limits: { stop: [] },
		thinking: {},
		output: { kind: "text" },
		metadata: {},
		warnings: [],
	};
}

/** Separates two parts where a protocol only has room for one text. */
const BETWEEN_PARTS = "\n\n";

/** The texts of a list of parts, joined. Images are left out. */
export function textOf(parts: readonly { type: string; text?: string }[]): string {
	return joinParts(parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")));
}

/** Joins the texts of parts, with a blank line between them. */
export function joinParts(texts: readonly string[]): string {
	return texts.filter((text) => text !== "").join(BETWEEN_PARTS);
}
