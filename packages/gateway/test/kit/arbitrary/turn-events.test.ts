import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TurnEvent } from "../../../src/turn/event.ts";
import { Grammar } from "../../../src/turn/grammar.ts";
import { turnBatchesArbitrary, turnEventsArbitrary } from "./turn-events.ts";

describe("turnEventsArbitrary", () => {
	it("makes complete turns that the grammar accepts", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const grammar = new Grammar();
				for (const event of events) grammar.accept(event);
				expect(grammar.ended).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});

	it("makes every kind of event, every end, calls side by side and text between the end of an input and its call", () => {
		const seen = new Set<string>();
		for (const events of fc.sample(turnEventsArbitrary, { numRuns: 500, seed: 1 })) observe(events, seen);
		expect([...seen].sort()).toEqual(
			[
				...["activity", "text-delta", "text-end", "text-start", "thinking-delta", "thinking-end", "thinking-start"],
				...["told-usage", "tool-call", "tool-input-delta", "tool-input-end", "tool-input-start", "turn-start", "usage"],
				...["end: filtered", "end: length", "end: refusal", "end: stop", "end: tool-calls"],
				...["calls side by side", "text before a closed call"],
			].sort(),
		);
	});

	it("loses nothing between batches", () => {
		fc.assert(
			fc.property(turnBatchesArbitrary, (batches) => {
				const events = batches.flat();
				expect(events[0]?.type).toBe("turn-start");
				expect(events.at(-1)?.type).toBe("turn-end");
			}),
		);
	});
});

function observe(events: readonly TurnEvent[], seen: Set<string>): void {
	let open = 0;
	let closed = 0;
	for (const event of events) {
		seen.add(event.type === "turn-end" ? `end: ${event.reason}` : event.type);
		if (event.type === "tool-input-start" && ++open > 1) seen.add("calls side by side");
		if (event.type === "tool-input-end") [open, closed] = [open - 1, closed + 1];
		if (event.type === "tool-call") closed--;
		if (event.type === "text-start" && closed > 0) seen.add("text before a closed call");
	}
}
