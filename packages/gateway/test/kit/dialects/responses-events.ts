import type { ResponseObject } from "../../../src/dialects/responses/encode.ts";
import type { OutputItem } from "../../../src/dialects/responses/items.ts";
import { readSse } from "./sse.ts";

// For tests only: what a client makes of our events.

export interface StreamEvent {
	type: string;
	sequence_number: number;
	response?: ResponseObject;
	item?: OutputItem;
	item_id?: string;
	output_index?: number;
	delta?: string;
	text?: string;
	arguments?: string;
	input?: string;
}

/** All events of a stream. The name of each has to be its type. */
export function readEvents(stream: string): StreamEvent[] {
	return readSse(stream).map(({ event, data }) => {
		const value = JSON.parse(data) as StreamEvent;
		if (event !== value.type) throw new Error(`${event} is not ${value.type}`);
		return value;
	});
}

/** Items and the text of each, from the deltas alone. */
export function readItems(events: readonly StreamEvent[]): { added: OutputItem; done?: OutputItem; text: string }[] {
	const items: { added: OutputItem; done?: OutputItem; text: string }[] = [];
	for (const { type, item, output_index: index, item_id, delta } of events) {
		if (index === undefined) continue;
		if (type === "response.output_item.added" && item) {
			if (index !== items.length) throw new Error("an item is out of order");
			if (items.some(({ done }) => !done)) throw new Error("an item begins within another one");
			items.push({ added: item, text: "" });
			continue;
		}
		const open = items[index];
		if (!open || open.done || (item_id ?? open.added.id) !== open.added.id)
			throw new Error(`${type} is for no open item`);
		if (type === "response.output_item.done" && item) open.done = item;
		open.text += delta ?? "";
	}
	return items;
}

/** The text of an item, whatever its kind. */
export function textOfItem(item: OutputItem | undefined): string | undefined {
	switch (item?.type) {
		case "message":
			return item.content[0]?.text;
		case "reasoning":
			return item.summary[0]?.text;
		case "function_call":
			return item.arguments;
		case "custom_tool_call":
			return item.input;
		case undefined:
			return undefined;
	}
}
