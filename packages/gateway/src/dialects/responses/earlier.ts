import type { Sliced } from "../../time/slices.ts";
import { GatewayError } from "../../turn/error.ts";
import { parseItems } from "../shared/fields.ts";
import { invalid } from "../shared/invalid.ts";
import { MAX_MESSAGES } from "../shared/limits.ts";
import { itemSchema, type ResponsesItem, type ResponsesRequestBody } from "./schema.ts";
import type { StoredResponse } from "./stored-response.ts";

// What a request refers to instead of sending it: an earlier response, and items of earlier responses.

/**
 * Items that were loaded before: for the id of a response the whole conversation with its reply, for the id of an item
 * that item. Undefined if the id is not known; the request is then refused.
 */
export type ResolveEarlier = (id: string) => readonly unknown[] | undefined;

/** An item and the place in the request that it comes from. */
export interface PlacedItem {
	item: ResponsesItem;
	param: string;
}

export interface ExpandedInput {
	items: PlacedItem[];
	/** The same as it came, to be stored with this response. */
	raw: unknown[];
}

/** The ids of the records to load before a body is decoded. The body need not be valid; decoding checks that. */
export function earlierIdsOf(body: unknown): string[] {
	const { previous_response_id: previous, input } = (body ?? {}) as Record<string, unknown>;
	const ids = new Set<string>();
	if (typeof previous === "string") ids.add(previous);
	for (const item of Array.isArray(input) ? input : []) {
		const id = isReference(item) ? responseIdOf(item.id) : undefined;
		if (id !== undefined) ids.add(id);
	}
	return [...ids];
}

function isReference(item: unknown): item is { id: string } {
	const { type, role, id } = (item ?? {}) as Record<string, unknown>;
	return (
		typeof id === "string" &&
		(type ?? ((role ?? undefined) === undefined ? "item_reference" : "message")) === "item_reference"
	);
}

/** Ids of items hold the id of their response, so that a reference is found without an index of all items. */
function responseIdOf(itemId: string): string | undefined {
	const base = /^[a-z]+_(.+)_(?:in)?\d+$/.exec(itemId)?.[1];
	return base === undefined ? undefined : `resp_${base}`;
}

/** Finds responses and items among loaded records. */
export function resolverOf(records: Iterable<StoredResponse>): ResolveEarlier {
	const found = new Map<string, readonly unknown[]>();
	for (const { response, input } of records) {
		const items = [...input, ...response.output];
		for (const item of items) if (!found.has(item.id)) found.set(item.id, [item]);
		found.set(response.id, items);
	}
	return (id) => found.get(id);
}

const PREVIOUS = "previous_response_id";

/** The whole conversation of a request: what it names and what it sends, in order. */
export function* expandInput(body: ResponsesRequestBody, resolve: ResolveEarlier): Sliced<ExpandedInput> {
	const expanded: ExpandedInput = { items: [], raw: [] };
	if (body.previous_response_id) yield* addEarlier(expanded, resolve, body.previous_response_id, PREVIOUS);
	if (typeof body.input === "string") addText(expanded, body.input);
	else {
		const raw = body.input ?? [];
		const items = yield* parseItems(itemSchema, raw, "input");
		for (const [index, item] of items.entries()) {
			const param = `input[${index}]`;
			if (item.type === "item_reference") yield* addEarlier(expanded, resolve, item.id, `${param}.id`);
			else {
				expanded.items.push({ item, param });
				expanded.raw.push(raw[index]);
			}
		}
	}
	return expanded;
}

function addText({ items, raw }: ExpandedInput, text: string): void {
	items.push({ item: { type: "message", role: "user", content: text }, param: "input" });
	raw.push({ type: "message", role: "user", content: text });
}

function* addEarlier(expanded: ExpandedInput, resolve: ResolveEarlier, id: string, param: string): Sliced<void> {
	const earlier = resolve(id);
	if (!earlier) {
		if (param === PREVIOUS) throw new GatewayError("previous-response-not-found");
		throw new GatewayError("not-found", `${param} names nothing that is stored.`, {
			param,
			nextStep: "Send the conversation itself in input, with store set to false.",
		});
	}
	// A short request can name a long conversation again and again.
	if (expanded.items.length + earlier.length > MAX_MESSAGES) {
		throw invalid(param, `must not bring the conversation to more than ${MAX_MESSAGES} items`);
	}
	for (const item of yield* parseItems(itemSchema, earlier, param)) expanded.items.push({ item, param });
	for (const item of earlier) expanded.raw.push(item);
}
