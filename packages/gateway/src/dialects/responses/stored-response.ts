import { joinBytes } from "../../text/join-bytes.ts";
import { jsonPieces } from "../../text/json-pieces.ts";
import { SLICE_LENGTH, type Sliced } from "../../time/slices.ts";
import { parseInSlices } from "../json/json-slices.ts";
import { invalid } from "../shared/invalid.ts";
import { withoutHalfPairs } from "./echo.ts";
import type { ResponseObject } from "./encode.ts";

/** An item of the conversation before a reply, as the client sent it, with an id. */
type InputItem = { id: string; type: string } & Readonly<Record<string, unknown>>;

/**
 * What is stored of a response: the response and the whole conversation before it, so that a chain of responses
 * survives the loss of an earlier one.
 */
export interface StoredResponse {
	response: ResponseObject;
	input: InputItem[];
}

/** The record of a finished response. `input` is what decoding gave for it. */
export function toStored(response: ResponseObject, input: readonly unknown[]): StoredResponse {
	const base = response.id.slice("resp_".length);
	return { response, input: input.map((item, index) => toInputItem(item, `${base}_in${index}`)) };
}

/** A record as bytes. Lone surrogates that a client sent are replaced. */
export function* encodeStored(record: StoredResponse): Sliced<Uint8Array> {
	const pieces: Buffer[] = [];
	for (const piece of jsonPieces(record)) {
		pieces.push(Buffer.from(withoutHalfPairs(piece)));
		yield;
	}
	return yield* joinBytes(pieces);
}

export function* decodeStored(payload: Uint8Array): Sliced<StoredResponse> {
	const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
	if (bytes.length <= SLICE_LENGTH) return JSON.parse(bytes.toString("utf8"));
	return (yield* parseInSlices(bytes, { maxNodes: Number.POSITIVE_INFINITY })) as StoredResponse;
}

const PREFIXES: ReadonlyMap<string, string> = new Map([
	["message", "msg"],
	["reasoning", "rs"],
	["function_call", "fc"],
	["function_call_output", "fco"],
	["custom_tool_call", "ctc"],
	["custom_tool_call_output", "ctco"],
	["compaction", "cmp"],
]);

export function toInputItem(raw: unknown, idTail: string): InputItem {
	const item = raw as { id?: string; type?: string; role?: string; content?: unknown };
	const type = item.type ?? "message";
	const id = typeof item.id === "string" && item.id ? item.id : `${PREFIXES.get(type) ?? "item"}_${idTail}`;
	if (type !== "message") return { ...item, id, type };
	const textType = item.role === "assistant" ? "output_text" : "input_text";
	const content = typeof item.content === "string" ? [{ type: textType, text: item.content }] : (item.content ?? []);
	return { status: "completed", ...item, id, type, content };
}

/** The query of `GET /v1/responses/{id}/input_items`. */
export interface InputItemsQuery {
	limit?: string | undefined;
	order?: string | undefined;
	after?: string | undefined;
}

export interface InputItemList {
	object: "list";
	data: InputItem[];
	first_id: string | null;
	last_id: string | null;
	has_more: boolean;
}

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** One page of the conversation before a response; the newest item first unless asked otherwise. */
export function listInputItems({ input }: StoredResponse, query: InputItemsQuery): InputItemList {
	const limit = query.limit === undefined ? DEFAULT_LIMIT : Number(query.limit);
	if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) throw invalid("limit", `must be 1 to ${MAX_LIMIT}`);
	const order = query.order ?? "desc";
	if (order !== "asc" && order !== "desc") throw invalid("order", "must be one of asc, desc");
	const items = order === "asc" ? input : input.toReversed();
	const start = query.after === undefined ? 0 : items.findIndex(({ id }) => id === query.after) + 1;
	if (start === 0 && query.after !== undefined) throw invalid("after", "must be the id of an item of this list");
	const data = items.slice(start, start + limit);
	return {
		object: "list",
		data,
		first_id: data[0]?.id ?? null,
		last_id: data.at(-1)?.id ?? null,
		has_more: start + limit < items.length,
	};
}

/** The response to `DELETE /v1/responses/{id}`. */
export function deletedResponse(id: string): { id: string; object: "response"; deleted: true } {
	return { id, object: "response", deleted: true };
}
