// A prompt as the model would read it, in the form of GET /__emulator/prompts.
import type { Message, Tool } from "../brains/brain.ts";

/** A system text and the channel through which it reached the model. */
export interface SystemText {
	channel: string;
	text: string;
}

/** A tool and the place where it was advertised. */
interface PlacedTool extends Tool {
	place: string;
}

/** What a run knows of its prompt when the model is about to read it. */
export interface PromptFacts {
	protocol: "agent" | "unified" | "legacy";
	rpc: string;
	conversationId: string;
	model: string;
	mode: string;
	system: SystemText[];
	tools: PlacedTool[];
	/** Names of the built-in tools that the model has beside the client's. */
	builtins: string[];
	/** Everything else that the client sent for the model to read, by its place on the wire. */
	context: Record<string, unknown>;
	history: Message[];
	/** Undefined if the model is asked to continue. */
	newest: Message | undefined;
}

interface Counted {
	/** Estimated. */
	tokens: number;
}

export interface ShownText extends Counted {
	type: "text" | "reasoning";
	text: string;
}

/** Without tokens, which depend on the model and on pixels rather than bytes. */
export interface ShownImage {
	type: "image";
	mediaType: string;
	bytes: number;
	sha256: string;
}

interface ShownCall extends Counted {
	type: "tool-call";
	toolName: string;
	args: unknown;
}

export interface ShownResult extends Counted {
	type: "tool-result";
	toolName: string;
	isError: boolean;
	parts: (ShownText | ShownImage)[];
}

export type ShownPart = ShownText | ShownImage | ShownCall | ShownResult;

export interface ShownEntry extends Counted {
	role: Message["role"];
	parts: ShownPart[];
}

/** Something that is in a prompt more than once. */
export interface Repeated {
	what: "text" | "image" | "tool";
	/** The beginning of the text, the image's hash, or the tool's name. */
	name: string;
	places: string[];
}

export interface ShownPrompt {
	/** Counts the runs of the emulator. */
	number: number;
	at: number;
	protocol: PromptFacts["protocol"];
	rpc: string;
	conversationId: string;
	model: string;
	mode: string;
	system: (SystemText & Counted)[];
	tools: (PlacedTool & Counted)[];
	builtins: string[];
	context: Record<string, unknown>;
	history: ShownEntry[];
	newest: ShownEntry | null;
	/** What the run has added: what the model said and called, and the results in the order of arrival. */
	since: ShownEntry[];
	tokens: Record<"system" | "tools" | "context" | "history" | "newest" | "since" | "total", number>;
	twice: Repeated[];
}
