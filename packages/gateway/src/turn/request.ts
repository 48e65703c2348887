/** What a client asks for, in no dialect: the one language between client APIs and upstream protocols. */
export interface TurnRequest {
	/** As the client spelt it; the upstream side knows what it means. */
	model: string;
	/** System texts in order. */
	system: string[];
	messages: TurnMessage[];
	tools: ToolDefinition[];
	toolChoice: ToolChoice;
	/** False: at most one call in a response. */
	parallelToolCalls: boolean;
	limits: OutputLimits;
	thinking: ThinkingWish;
	output: OutputFormat;
	/** How the model is to work; undefined: as its name or the settings say, or else as the tools suggest. */
	mode?: TurnMode;
	/** With Cursor's Max Mode, which has the largest context window; undefined: as its name or the settings say. */
	maxMode?: boolean;
	/** The size of the context window that is wanted, such as `1m`; undefined: as the model's name says. */
	contextWindow?: string;
	/** Hints such as a session header. Never an identity. */
	metadata: Readonly<Record<string, string>>;
	/** One line for each accepted setting that has no effect here. */
	warnings: string[];
}

export type TurnMessage = UserMessage | AssistantMessage | ToolMessage;

export interface UserMessage {
	role: "user";
	content: (TextPart | ImagePart)[];
	/** Said by the client in the middle of a conversation, and not yet put where it belongs. */
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
	/** The file; for a link its URL, so that two links differ as two files do. */
	data: Uint8Array;
	/** An image that is elsewhere, and where the request names it. Nothing fetches it: a protocol may pass it on. */
	link?: { url: string; param: string };
}

export interface ThinkingPart {
	type: "thinking";
	text: string;
	/** Opaque to us: what a dialect wants back unchanged. */
	signature?: string;
}

export interface ToolCallPart {
	type: "tool-call";
	id: string;
	name: string;
	/** JSON text as the model wrote it; free text for a freeform tool. */
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
	/** JSON schema, passed on as data and never compiled. A freeform tool has one string property `input`. */
	inputSchema: Readonly<Record<string, unknown>>;
	/** `freeform`: the call's arguments are plain text and not JSON. */
	kind: "function" | "freeform";
}

export type ToolChoice = { kind: "auto" } | { kind: "none" } | { kind: "required" } | { kind: "tool"; name: string };

export interface OutputLimits {
	maxOutputTokens?: number;
	/** The answer ends before the first of these. */
	stop: string[];
}

export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh"] as const;
export type Effort = (typeof EFFORTS)[number];

export interface ThinkingWish {
	/** Undefined: whatever the model does by itself. */
	effort?: Effort;
}

/** The ways to work that Cursor has. Each of its protocols knows some of them. */
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
			/** Where the schema stands in the client's request, for an error that tells of it. */
			schemaParam: string;
	  };

/** A request with nothing in it; dialects and tests fill in what they have. */
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

/** Stands between two parts where a protocol has room for one text only. */
const BETWEEN_PARTS = "\n\n";

/** The text of a list of parts, as one; images leave nothing behind. */
export function textOf(parts: readonly { type: string; text?: string }[]): string {
	return joinParts(parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")));
}

/** Texts of parts as one text, in which they are still apart. */
export function joinParts(texts: readonly string[]): string {
	return texts.filter((text) => text !== "").join(BETWEEN_PARTS);
}
