import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnEventsArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import { violations } from "../../../test/kit/schemas/messages/published.ts";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import type { EndReason } from "../../turn/event.ts";
import { repairHistory } from "../../turn/normalize.ts";
import { NO_TOKENS } from "../../turn/usage.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeMessagesRequest } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import { OWN_SIGNATURE } from "./signature.ts";

const OPTIONS = { id: "msg_1" };

const turn = (content: CollectedTurn["content"], reason: EndReason = "stop"): CollectedTurn => ({
	...{ runId: "r", model: "model", path: "new", content, end: { reason } },
	usage: { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, cacheWriteTokens: 1, reasoningTokens: 3 },
});
const call = (text: string) => ({ type: "tool-call" as const, id: "a", name: "read", arguments: text });
const inputOf = (text: string) => {
	const [block] = encodeMessage(turn([call(text)]), OPTIONS).content;
	return block?.type === "tool_use" ? block.input : undefined;
};

describe("encodeMessage", () => {
	it("is the reply that the API documents, field by field", () => {
		const reply = encodeMessage(
			turn(
				[
					{ type: "thinking", text: "Hm." },
					{ type: "thinking", text: "", signature: "theirs" },
					{ type: "text", text: "I look." },
					{ type: "text", text: "" },
					call('{"path":"x"}'),
				],
				"tool-calls",
			),
			OPTIONS,
		);
		expect(reply).toEqual({
			id: "msg_1",
			type: "message",
			role: "assistant",
			model: "model",
			content: [
				{ type: "thinking", thinking: "Hm.", signature: OWN_SIGNATURE },
				{ type: "thinking", thinking: "", signature: "theirs" },
				{ type: "text", text: "I look." },
				{ type: "tool_use", id: "a", name: "read", input: { path: "x" }, caller: { type: "direct" } },
			],
			stop_reason: "tool_use",
			stop_sequence: null,
			usage: {
				input_tokens: 5,
				cache_creation_input_tokens: 1,
				cache_read_input_tokens: 4,
				output_tokens: 5,
				output_tokens_details: { thinking_tokens: 3 },
			},
		});
		expect(violations("message", reply)).toEqual([]);
	});

	it.each<[EndReason, string | undefined, string, string | null]>([
		["stop", undefined, "end_turn", null],
		["stop", "END", "stop_sequence", "END"],
		["length", undefined, "max_tokens", null],
		["tool-calls", undefined, "tool_use", null],
		["refusal", undefined, "refusal", null],
		["filtered", undefined, "refusal", null],
	])("ends a turn of reason %s (%s) with %s", (reason, stopSequence, stop_reason, stop_sequence) => {
		const ended = { ...turn([]), end: { reason, ...(stopSequence && { stopSequence }) } };
		expect(encodeMessage(ended, OPTIONS)).toMatchObject({ stop_reason, stop_sequence });
	});

	it("makes an object of every input, and loses none", () => {
		expect(inputOf("")).toEqual({});
		expect(inputOf(' {"a":[1]} ')).toEqual({ a: [1] });
		const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
		for (const text of ['{"a":', "[1]", "null", "5", '"x"', deep])
			expect(inputOf(text)).toEqual({ INVALID_JSON: text });
	});

	it("counts no tokens below nothing, whatever the upstream says", () => {
		const odd = { ...turn([]), usage: { ...NO_TOKENS, inputTokens: 1, cachedInputTokens: 4 } };
		expect(encodeMessage(odd, OPTIONS).usage.input_tokens).toBe(0);
	});

	it("never makes a complete reply of a turn that has not ended", () => {
		expect(() => encodeMessage({ ...turn([]), end: undefined }, OPTIONS)).toThrow("The gateway made a mistake.");
	});

	it("comes back from the client as the turn that it was", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const collector = new TurnCollector();
				for (const event of events) collector.add(event);
				const { content } = JSON.parse(JSON.stringify(encodeMessage(collector.turn, OPTIONS)));
				const messages = [
					{ role: "user", content: "hi" },
					{ role: "assistant", content },
					{ role: "user", content: [{ type: "text", text: "go on" }] },
				];
				const question = { role: "user" as const, content: [{ type: "text" as const, text: "hi" }] };
				const answer = { role: "assistant" as const, content: collector.turn.content.map(asItReturns) };
				const next = { role: "user" as const, content: [{ type: "text" as const, text: "go on" }] };
				expect(decodeMessagesRequest({ model: "m", messages }).turn.messages).toEqual(
					repairHistory([question, answer, next]).messages,
				);
			}),
			{ numRuns: 300 },
		);
	});
});

type Part = CollectedTurn["content"][number];

function asItReturns(part: Part): Part {
	if (part.type === "tool-call") {
		const block = encodeMessage(turn([part]), OPTIONS).content[0];
		return { ...part, arguments: JSON.stringify(block?.type === "tool_use" ? block.input : undefined) };
	}
	const signature = part.type === "thinking" && part.signature;
	return { ...part, text: wellFormed(part.text), ...(signature && { signature: wellFormed(signature) }) };
}
