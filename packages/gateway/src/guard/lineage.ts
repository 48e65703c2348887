import { createHash } from "node:crypto";
import { replyName } from "../tokens/said-text.ts";
import { type TurnMessage, textOf } from "../turn/request.ts";

/**
 * What a conversation is counted by: its first reply, which the client sends back in every request. The ids of calls are
 * unique, and the beginning of a text nearly is. Undefined: there was no reply yet.
 */
export function lineageOf(caller: string, messages: readonly TurnMessage[]): string | undefined {
	const first = messages.find(({ role }) => role === "assistant");
	if (first?.role !== "assistant") return undefined;
	const calls = first.content.flatMap((part) => (part.type === "tool-call" ? [part.id] : []));
	const text = first.content.map((part) => (part.type === "text" ? part.text : "")).join("");
	return lineageNamed(caller, messages, replyName(calls, text), calls.length > 0);
}

/** The same, from the name of the first reply. Texts are alike more often than ids, so the question is part of it then. */
export function lineageNamed(
	caller: string,
	messages: readonly TurnMessage[],
	reply: string | undefined,
	hasCalls: boolean,
): string | undefined {
	if (reply === undefined) return undefined;
	const question = hasCalls ? "" : textOf(messages.find(({ role }) => role === "user")?.content ?? []);
	const hash = createHash("sha256").update(`${caller}\n${question.trim().length}\n${question.trim()}\n${reply}`);
	return hash.digest("base64url").slice(0, 22);
}
