import type { Code, FailureDetails } from "../rpc/failure.ts";

export interface TextPart {
	type: "text";
	text: string;
}

export interface ImagePart {
	type: "image";
	mediaType: string;
	data: Uint8Array;
}

interface ReasoningPart {
	type: "reasoning";
	text: string;
}

export interface ToolCallPart {
	type: "tool-call";
	toolCallId: string;
	toolName: string;
	args: unknown;
}

export interface ToolResultPart {
	type: "tool-result";
	toolCallId: string;
	toolName: string;
	result: unknown;
	isError?: boolean;
	/** If the protocol has a place for them. */
	images?: ImagePart[];
}

export interface Message {
	role: "user" | "assistant" | "tool";
	content: (TextPart | ImagePart | ReasoningPart | ToolCallPart | ToolResultPart)[];
}

export interface Tool {
	name: string;
	description: string;
	inputSchema: unknown;
}

/** What a run was asked to do: `user_message`, `resume`, `background_task_completion`, …, and its fields as JSON. */
export interface TurnAction {
	kind: string;
	data: unknown;
}

/** What the model gets to see. */
export interface Turn {
	/** The whole conversation including the newest message. Messages that arrive during the turn are added. */
	messages: Message[];
	/** System texts that reached the model. */
	system: string[];
	/** Rules of the user and the project. */
	rules: string[];
	/** The client's tools. */
	tools: Tool[];
	/** Built-in tools that the client did not switch off, as ToolCall field names (`shell_tool_call`, …). */
	builtins: string[];
	model: { id: string; parameters: Record<string, string>; maxMode: boolean };
	conversationId: string;
	/** Images of the newest user message. */
	images: ImagePart[];
	headers: Record<string, string>;
	/** True if the client asked to continue a turn and sent no message. */
	resumed: boolean;
	action: TurnAction;
	/** Text of the newest user message. */
	prompt: string;
	mode: string;
	/** The client's request context as JSON; undefined if none was sent. */
	context: unknown;
	/** Aborted when the client leaves. */
	signal: AbortSignal;
}

export interface Call {
	name: string;
	arguments?: Record<string, unknown>;
}

/** A built-in request: `kind` is the field name without `_args`, `args` its fields. */
export interface ExecRequest {
	kind: string;
	args?: Record<string, unknown>;
}

export interface CallResult {
	content: (TextPart | ImagePart)[];
	/** All text parts joined. */
	text: string;
	isError: boolean;
	/** Which kind of result it was, unless it was a success. */
	failure?: string;
	raw: unknown;
}

/** What a search has brought: pages, or the reason why the client did not allow it. */
export type SearchOutcome =
	| { pages: { title: string; url: string; chunk: string }[]; rejected?: undefined }
	| { pages?: undefined; rejected: string };

/** What a brain may do next. */
export interface Action {
	thinking?: string;
	text?: string;
	/** Calls of the client's tools, all in one step. Resumes with `CallResult[]`, in the same order. */
	calls?: Call[];
	/** Built-in requests; those in a list are sent at once. Resumes with the raw result, or a list of them. */
	exec?: ExecRequest | ExecRequest[];
	/** A search of the web, which the client is asked to allow. Resumes with a `SearchOutcome`. */
	search?: string;
	/** A question to the user: `kind` is the field name. Resumes with the raw answer. */
	query?: { kind: string; args?: Record<string, unknown> };
	/** Any other interaction update, by field name. */
	update?: { kind: string; args?: Record<string, unknown> };
	/** Replaces the estimated token counts. */
	usage?: {
		inputTokens?: number;
		outputTokens?: number;
		cacheReadTokens?: number;
		cacheWriteTokens?: number;
		reasoningTokens?: number;
		usedTokens?: number;
		maxTokens?: number;
	};
	/** A checkpoint in the middle of the turn, from which a client may resume. */
	checkpoint?: true;
	/** Milliseconds. */
	delay?: number;
	error?: { code?: Code; message?: string; details?: FailureDetails; metadata?: Record<string, string> };
	/** Cuts the connection. */
	drop?: true;
	/** Sends nothing more until the client leaves; with `"heartbeats"` nothing but heartbeats. */
	hang?: true | "heartbeats";
}

/** Decides what the model says: an async generator that gets the turn and yields actions. */
// biome-ignore lint/suspicious/noExplicitAny: what a yield resumes with depends on the action before it
export type Brain = (turn: Turn) => AsyncGenerator<Action, void, any>;
