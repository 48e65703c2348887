import { describe, expect, it } from "vitest";
import type { TurnEvent } from "./event.ts";
import { Grammar } from "./grammar.ts";

const START: TurnEvent = { type: "turn-start", runId: "r", model: "m", path: "new" };
const STOP: TurnEvent = { type: "turn-end", reason: "stop" };
const open = (id: string): TurnEvent => ({ type: "tool-input-start", id, name: "t" });
const delta = (id: string, text: string): TurnEvent => ({ type: "tool-input-delta", id, text });
const close = (id: string): TurnEvent => ({ type: "tool-input-end", id });
const call = (id: string, args: string): TurnEvent => ({ type: "tool-call", id, name: "t", arguments: args });
const search = (id: string): TurnEvent => ({ type: "web-search", search: { id, query: "q", results: [] } });
const text = (value: string): TurnEvent[] => [
	{ type: "text-start" },
	{ type: "text-delta", text: value },
	{ type: "text-end" },
];

function judge(events: TurnEvent[]): string {
	const grammar = new Grammar();
	try {
		for (const event of events) grammar.accept(event);
		return grammar.ended ? "whole" : "open";
	} catch (error) {
		return (error as Error).message;
	}
}

describe("the grammar of events", () => {
	it.each<[string, TurnEvent[]]>([
		["an answer", [START, ...text("a"), STOP]],
		["thinking, then text", [START, { type: "thinking-start" }, { type: "thinking-end" }, ...text("a"), STOP]],
		[
			"calls whose inputs interleave",
			[
				START,
				open("1"),
				open("2"),
				delta("1", "{}"),
				delta("2", "{}"),
				close("2"),
				close("1"),
				call("1", "{}"),
				call("2", "{}"),
				{ type: "turn-end", reason: "tool-calls" },
			],
		],
		["searches between blocks", [START, search("1"), ...text("a"), search("2"), STOP]],
		["heartbeats and counts in between", [START, { type: "activity" }, ...text("a"), { type: "activity" }, STOP]],
	])("takes %s", (_name, events) => expect(judge(events)).toBe("whole"));

	it.each<[string, TurnEvent[], RegExp]>([
		["nothing before the start", [...text("a")], /has not started/],
		["two starts", [START, START], /started already/],
		["a delta outside a block", [START, { type: "text-delta", text: "a" }], /no text block/],
		["a block within a block", [START, { type: "text-start" }, { type: "thinking-start" }], /text block is open/],
		["text while a call's input is open", [START, open("1"), { type: "text-start" }], /input of a call is open/],
		["a call without input", [START, call("1", "{}")], /input has not started/],
		["a call before its input has ended", [START, open("1"), call("1", "")], /still open/],
		[
			"a call that differs from its input",
			[START, open("1"), delta("1", "{}"), close("1"), call("1", "[]")],
			/differs/,
		],
		["an id used twice", [START, open("1"), close("1"), call("1", ""), open("1")], /used before/],
		["an end with something open", [START, { type: "text-start" }, STOP], /text block is open/],
		["an end in calls without one", [START, { type: "turn-end", reason: "tool-calls" }], /no call/],
		["a search within a block", [START, { type: "text-start" }, search("1")], /text block is open/],
		["a search within the input of a call", [START, open("1"), search("1")], /input of a call is open/],
		["a search told twice", [START, search("1"), search("1")], /used before/],
		["anything behind the end", [START, STOP, { type: "activity" }], /has ended/],
	])("refuses %s", (_name, events, reason) => expect(judge(events)).toMatch(reason));
});
