import type { CollectedTurn } from "../../turn/collect.ts";
import { endOf } from "../shared/turn-end.ts";
import { wellFormed } from "../shared/well-formed.ts";
import type { ResponseEcho } from "./echo.ts";
import type { ResponseError } from "./errors.ts";
import { type Ending, type ResponseUsage, toEnding, toResponseUsage } from "./finish.ts";
import { callDraft, type ItemDraft, type ItemOptions, type OutputItem, reasoningDraft, textDraft } from "./items.ts";

export interface ResponseObject extends ResponseEcho {
	id: string;
	object: "response";
	created_at: number;
	completed_at: number | null;
	status: "in_progress" | "completed" | "incomplete" | "failed";
	incomplete_details: Ending["incomplete_details"];
	error: ResponseError | null;
	output: OutputItem[];
	usage: ResponseUsage | null;
}

export interface ResponsesReplyOptions extends ItemOptions {
	/** Seconds since 1970. */
	created: number;
	/** Seconds since 1970. */
	now(): number;
	echo: ResponseEcho;
}

/** The object that makes up a whole reply, and that streams repeat at their start and end. */
export function toResponse(
	{ baseId, created, echo }: ResponsesReplyOptions,
	state: Pick<ResponseObject, "status"> & Partial<ResponseObject>,
): ResponseObject {
	return {
		id: `resp_${baseId}`,
		object: "response",
		created_at: created,
		completed_at: null,
		incomplete_details: null,
		error: null,
		output: [],
		usage: null,
		...state,
		...echo,
	};
}

/** The model that replies is not always the one whose name was asked for. */
export function repliedBy<Options extends ResponsesReplyOptions>(model: string, options: Options): Options {
	return { ...options, echo: { ...options.echo, model: wellFormed(model) } };
}

/** A whole reply. */
export function encodeResponse(turn: CollectedTurn, options: ResponsesReplyOptions): ResponseObject {
	return toResponse(repliedBy(turn.model, options), {
		...toEnding(endOf(turn).reason),
		completed_at: options.now(),
		output: encodeItems(turn.content, options),
		usage: toResponseUsage(turn.usage),
	});
}

type Part = CollectedTurn["content"][number];

export function encodeItems(content: readonly Part[], options: ItemOptions): OutputItem[] {
	const parts = content.filter((part) => part.type === "tool-call" || part.text !== "");
	return parts.map((part, index) => {
		const text = part.type === "tool-call" ? part.arguments : part.text;
		return draftOf(part, index, options)(text, "completed");
	});
}

function draftOf(part: Part, index: number, options: ItemOptions): ItemDraft {
	if (part.type === "text") return textDraft(index, options);
	if (part.type === "thinking") return reasoningDraft(index, options);
	return callDraft(index, part.id, part.name, options);
}
