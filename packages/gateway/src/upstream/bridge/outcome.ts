import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ExecClientMessageSchema } from "@cursorwire/protocol/agent";
import { type ImagePart, type ToolResultPart, textOf } from "../../turn/request.ts";

/** The `message` of one `ExecClientMessage`; the caller adds the id and closes the stream. */
export type ExecAnswerInit = Extract<MessageInitShape<typeof ExecClientMessageSchema>["message"], { case: string }>;

/** The result message of one kind of request. */
export type AnswerValue<C extends ExecAnswerInit["case"]> = Extract<ExecAnswerInit, { case: C }>["value"];

/** What the client's tool returned. */
export interface ToolOutcome {
	text: string;
	images: { mediaType: string; data: Uint8Array }[];
	isError: boolean;
}

export function outcomeOf(result: ToolResultPart): ToolOutcome {
	return { text: textOf(result.content), images: imagesOf(result), isError: result.isError };
}

export function imagesOf({ content }: ToolResultPart): ImagePart[] {
	return content.filter((part) => part.type === "image");
}

/** A built-in request turned into a call of one of the client's tools. */
export interface BridgeCall {
	toolName: string;
	arguments: Record<string, unknown>;
	/** Turns the client's result into the typed answer or answers to the request. */
	answer(result: ToolOutcome): ExecAnswerInit[];
}

/** What to do with a built-in request. All three decisions answer it, because an unanswered request hangs the turn. */
export type BridgeDecision =
	| { kind: "call"; call: BridgeCall }
	/** A typed refusal, or a harmless default. */
	| { kind: "answer"; answers: ExecAnswerInit[]; isRefusal: boolean }
	| { kind: "throw"; error: string };
