import type { TurnEvent } from "../turn/event.ts";

/** What an event costs besides its text. */
const EVENT_CHARACTERS = 64;

/** How much a batch counts against what may be under way between two gateways. */
export function sizeOf(events: readonly TurnEvent[]): number {
	let size = 0;
	for (const event of events) {
		size += EVENT_CHARACTERS;
		if ("text" in event) size += event.text.length;
		else if (event.type === "tool-call") size += event.arguments.length;
	}
	return size;
}
