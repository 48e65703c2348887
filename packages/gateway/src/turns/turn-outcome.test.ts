import { expect, it } from "vitest";
import type { TurnEvent } from "../turn/event.ts";
import { OutcomeWatch } from "./turn-outcome.ts";

/** The state after each batch, and what was told of the steps. */
function statesAfter(...batches: TurnEvent[][]) {
	const steps: string[] = [];
	const watch = new OutcomeWatch({ now: () => 0 }, (_id, step) => steps.push(step));
	const states = batches.map((batch) => {
		watch.see(batch);
		return watch.progress().state;
	});
	return { states, steps };
}

const ALIVE: TurnEvent = { type: "activity" };
const TEXT: TurnEvent = { type: "text-delta", text: "a" };
const CALL: TurnEvent = { type: "tool-input-delta", id: "call_1", text: "{" };

it("takes a sign of life for nothing but the end of the wait for Cursor", () => {
	const { states, steps } = statesAfter([ALIVE], [TEXT], [ALIVE], [TEXT, ALIVE], [CALL], [ALIVE]);
	expect(states).toEqual(["thinking", "streaming", "streaming", "streaming", "tool", "tool"]);
	expect(steps).toEqual(["thinking", "streaming", "tool"]);
});

it("takes no figure of tokens for a step", () => {
	const { states } = statesAfter([TEXT, { type: "told-usage", told: {} }], [CALL, { type: "told-usage", told: {} }]);
	expect(states).toEqual(["streaming", "tool"]);
});
