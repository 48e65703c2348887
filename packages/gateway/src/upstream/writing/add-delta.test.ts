import { expect, it } from "vitest";
import type { TurnEvent } from "../../turn/event.ts";
import { addDelta } from "./add-delta.ts";

it("joins texts of one kind that wait to be delivered, up to a length at which a client can show something", () => {
	const events: TurnEvent[] = [{ type: "text-start" }];
	addDelta(events, "text-delta", "one ");
	addDelta(events, "text-delta", "two");
	addDelta(events, "thinking-delta", "hm");
	addDelta(events, "text-delta", "x".repeat(1_024));
	addDelta(events, "text-delta", "three");
	expect(events).toEqual([
		{ type: "text-start" },
		{ type: "text-delta", text: "one two" },
		{ type: "thinking-delta", text: "hm" },
		{ type: "text-delta", text: "x".repeat(1_024) },
		{ type: "text-delta", text: "three" },
	]);
});
