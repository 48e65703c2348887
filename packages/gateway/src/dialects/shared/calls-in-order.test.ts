import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnBatchesArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { CallsInOrder } from "./calls-in-order.ts";

const inputsOf = (events: readonly TurnEvent[]) => {
	const inputs = new Map<string, string>();
	for (const event of events) {
		if (event.type === "tool-input-start") inputs.set(event.id, "");
		if (event.type === "tool-input-delta") inputs.set(event.id, inputs.get(event.id) + event.text);
	}
	return [...inputs];
};
const others = (events: readonly TurnEvent[]) => events.filter(({ type }) => !type.startsWith("tool-input-"));

describe("CallsInOrder", () => {
	it("closes every call before the next one or a block begins, in the order in which they began", () => {
		fc.assert(
			fc.property(turnBatchesArbitrary, (batches) => {
				const order = new CallsInOrder();
				const events = batches.flatMap((batch) => order.take(batch));
				let open: string | undefined;
				for (const event of events) {
					if (event.type === "tool-input-start" || event.type === "text-start" || event.type === "turn-end")
						expect(open).toBeUndefined();
					if (event.type === "tool-input-start") open = event.id;
					if (event.type === "tool-input-delta" || event.type === "tool-input-end") expect(event.id).toBe(open);
					if (event.type === "tool-input-end") open = undefined;
				}
				expect(inputsOf(events)).toEqual(inputsOf(batches.flat()));
				expect(others(events)).toEqual(others(batches.flat()));
			}),
			{ numRuns: 300 },
		);
	});

	it("holds nothing back of the call that is open", () => {
		const order = new CallsInOrder();
		const delta: TurnEvent = { type: "tool-input-delta", id: "a", text: "1" };
		order.take([{ type: "tool-input-start", id: "a", name: "one" }]);
		expect(order.take([{ type: "tool-input-start", id: "b", name: "two" }, delta])).toEqual([delta]);
	});
});
