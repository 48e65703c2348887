import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnEventsArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import { violations } from "../../../test/kit/schemas/chat/published.ts";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import type { EndReason } from "../../turn/event.ts";
import { repairHistory } from "../../turn/normalize.ts";
import { NO_TOKENS } from "../../turn/usage.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeChatRequest } from "./decode.ts";
import { type ChatReplyOptions, encodeChatCompletion } from "./encode.ts";

const OPTIONS: ChatReplyOptions = { id: "chatcmpl-1", created: 1_700_000_000, legacyFunctions: false };

const turn = (content: CollectedTurn["content"], reason: EndReason = "stop"): CollectedTurn => ({
	...{ runId: "r", model: "model", path: "new", content, end: { reason } },
	usage: { ...NO_TOKENS, inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 2 },
});
const call = (id: string) => ({ type: "tool-call" as const, id, name: "read", arguments: '{"path":"x"}' });

describe("encodeChatCompletion", () => {
	it("is the reply that the API documents, field by field", () => {
		const reply = encodeChatCompletion(
			[
				turn(
					[
						{ type: "thinking", text: "Hm." },
						{ type: "text", text: "I " },
						{ type: "text", text: "look." },
						call("a"),
						call("b"),
					],
					"tool-calls",
				),
			],
			OPTIONS,
		);
		expect(reply).toEqual({
			id: "chatcmpl-1",
			object: "chat.completion",
			created: 1_700_000_000,
			model: "model",
			choices: [
				{
					index: 0,
					message: {
						role: "assistant",
						content: "I look.",
						refusal: null,
						reasoning_content: "Hm.",
						reasoning: "Hm.",
						tool_calls: [
							{ id: "a", type: "function", function: { name: "read", arguments: '{"path":"x"}' } },
							{ id: "b", type: "function", function: { name: "read", arguments: '{"path":"x"}' } },
						],
					},
					logprobs: null,
					finish_reason: "tool_calls",
				},
			],
			usage: {
				prompt_tokens: 10,
				completion_tokens: 5,
				total_tokens: 15,
				prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
				completion_tokens_details: { reasoning_tokens: 2 },
			},
			system_fingerprint: "fp_cursorwire",
		});
		expect(violations("chat-completion", reply)).toEqual([]);
	});

	it("has null for the content of an answer of calls alone, and a text else", () => {
		const contentOf = (content: CollectedTurn["content"]) =>
			encodeChatCompletion([turn(content)], OPTIONS).choices[0]?.message.content;
		expect(contentOf([call("a")])).toBeNull();
		expect(contentOf([])).toBe("");
	});

	it("gives older clients the call as function_call", () => {
		const { choices } = encodeChatCompletion([turn([call("a")], "tool-calls")], { ...OPTIONS, legacyFunctions: true });
		expect(choices[0]).toMatchObject({
			finish_reason: "function_call",
			message: { content: null, function_call: { name: "read", arguments: '{"path":"x"}' } },
		});
		expect(choices[0]?.message).not.toHaveProperty("tool_calls");
	});

	it.each<[EndReason, string]>([
		["stop", "stop"],
		["length", "length"],
		["tool-calls", "tool_calls"],
		["refusal", "content_filter"],
		["filtered", "content_filter"],
	])("ends a turn of reason %s with %s", (reason, finish) => {
		const { choices } = encodeChatCompletion([turn([call("a")], reason)], OPTIONS);
		expect(choices[0]?.finish_reason).toBe(finish);
	});

	it("has a choice for each turn, and counts the prompt once", () => {
		const reply = encodeChatCompletion(
			[turn([{ type: "text", text: "one" }]), turn([{ type: "text", text: "two" }])],
			OPTIONS,
		);
		expect(reply.choices.map(({ index, message }) => [index, message.content])).toEqual([
			[0, "one"],
			[1, "two"],
		]);
		expect(reply.usage).toMatchObject({
			prompt_tokens: 10,
			completion_tokens: 10,
			total_tokens: 20,
			completion_tokens_details: { reasoning_tokens: 4 },
		});
		expect(violations("chat-completion", reply)).toEqual([]);
	});

	it("never makes a complete reply of a turn that has not ended", () => {
		expect(() => encodeChatCompletion([{ ...turn([]), end: undefined }], OPTIONS)).toThrow(
			"The gateway made a mistake.",
		);
	});

	it("comes back from the client as the turn that it was", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const collector = new TurnCollector();
				for (const event of events) collector.add(event);
				const reply = encodeChatCompletion([collector.turn], OPTIONS);
				const sentBack = JSON.parse(JSON.stringify(reply.choices[0]?.message));
				const messages = [{ role: "user", content: "hi" }, sentBack, { role: "user", content: "go on" }];
				const decoded = decodeChatRequest({ model: "m", messages }).turn.messages;
				const question = { role: "user" as const, content: [{ type: "text" as const, text: "hi" }] };
				const answer = { role: "assistant" as const, content: asChatHasIt(collector.turn) };
				const next = { role: "user" as const, content: [{ type: "text" as const, text: "go on" }] };
				expect(decoded).toEqual(repairHistory([question, answer, next]).messages);
			}),
			{ numRuns: 300 },
		);
	});
});

/** Chat has one text and one thinking in a message, before the calls. */
function asChatHasIt({ content }: CollectedTurn): CollectedTurn["content"] {
	const textOf = (type: string) =>
		wellFormed(content.flatMap((part) => (part.type === type && "text" in part ? [part.text] : [])).join(""));
	const calls = content.filter((part) => part.type === "tool-call");
	return [
		{ type: "thinking", text: textOf("thinking") },
		{ type: "text", text: textOf("text") },
		...calls.map((part) => ({ ...part, arguments: part.arguments.trim() === "" ? "{}" : wellFormed(part.arguments) })),
	];
}
