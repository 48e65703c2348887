import type { TurnEvent } from "../../turn/event.ts";

type TextDelta = Extract<TurnEvent, { type: "text-delta" | "thinking-delta" }>;

/** In characters. A client should not have to read much before it can show something. */
const LONGEST_JOINED = 1_024;

/**
 * Adds a delta to the events that wait to be delivered. What one read from the network brought becomes one delta: the
 * client gets it at the same moment anyway, and each delta costs several times as much as its text.
 */
export function addDelta(events: TurnEvent[], type: TextDelta["type"], text: string): void {
	const last = events[events.length - 1];
	if (last?.type === type && last.text.length < LONGEST_JOINED) last.text += text;
	else events.push({ type, text });
}
