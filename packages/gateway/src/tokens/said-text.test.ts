import { describe, expect, it } from "vitest";
import { atOnce } from "../time/slices.ts";
import type { TurnEvent } from "../turn/event.ts";
import { SaidText } from "./said-text.ts";
import { loadTokenEstimator } from "./token-estimate.ts";

const estimator = await loadTokenEstimator();

function said(...events: TurnEvent[]): SaidText {
	const text = new SaidText();
	for (const event of events) text.add(event);
	return text;
}

const spoken: TurnEvent = { type: "text-delta", text: "It’s 你好 😀 and so on. ".repeat(40) };
const thought: TurnEvent = { type: "thinking-delta", text: "Let me see." };
const call: TurnEvent = { type: "tool-call", id: "a", name: "read", arguments: '{"path":"a.txt"}' };

describe("countShort", () => {
	it("has the same figures as count", () => {
		for (const reply of [said(), said(spoken), said(spoken, spoken), said(thought, spoken, call)]) {
			const tokens = reply.countShort(estimator);
			expect(tokens).toBeDefined();
			expect(tokens).toEqual(atOnce(reply.count(estimator)));
		}
	});

	it("leaves long replies, and texts that the client did not see, to count", () => {
		const long: TurnEvent = { type: "text-delta", text: "x".repeat(5_000) };
		expect(said(long).countShort(estimator)).toBeUndefined();
		expect(said({ ...long, type: "thinking-delta" }).countShort(estimator)).toBeUndefined();
		expect(said(spoken).countShort(estimator, ["not seen"])).toBeUndefined();
	});
});
