import type { CollectedTurn } from "../../turn/collect.ts";
import { SYSTEM_FINGERPRINT } from "../chat/encode.ts";
import { type CompletionUsage, type FinishReason, toCompletionUsage, toFinishReason } from "../chat/finish.ts";
import { endOf } from "../shared/turn-end.ts";
import { wellFormed } from "../shared/well-formed.ts";

export interface TextCompletion {
	id: string;
	object: "text_completion";
	created: number;
	model: string;
	choices: { index: number; text: string; logprobs: null; finish_reason: FinishReason }[];
	usage: CompletionUsage;
	system_fingerprint: string;
}

/** A whole reply: one choice for each turn. There is no place for thinking in it. */
export function encodeCompletion(
	turns: readonly CollectedTurn[],
	{ id, created }: Pick<TextCompletion, "id" | "created">,
): TextCompletion {
	return {
		id,
		object: "text_completion",
		created,
		model: wellFormed(turns[0]?.model ?? ""),
		choices: turns.map(encodeChoice),
		usage: toCompletionUsage(turns.map(({ usage }) => usage)),
		system_fingerprint: SYSTEM_FINGERPRINT,
	};
}

function encodeChoice(turn: CollectedTurn, index: number): TextCompletion["choices"][number] {
	const text = wellFormed(turn.content.map((part) => (part.type === "text" ? part.text : "")).join(""));
	return { index, text, logprobs: null, finish_reason: toFinishReason(endOf(turn).reason, false) };
}
