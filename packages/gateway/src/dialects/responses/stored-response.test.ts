import { describe, expect, it } from "vitest";
import { atOnce } from "../../time/slices.ts";
import { earlierIdsOf, resolverOf } from "./earlier.ts";
import { echoOf } from "./echo.ts";
import { toResponse } from "./encode.ts";
import { textDraft } from "./items.ts";
import { decodeStored, deletedResponse, encodeStored, listInputItems, toStored } from "./stored-response.ts";

const OPTIONS = {
	...{ baseId: "b-1", created: 1, now: () => 2, echo: echoOf({ model: "m" }) },
	...{ callForms: new Map(), encryptedReasoning: false },
};
const RESPONSE = toResponse(OPTIONS, {
	status: "completed",
	output: [textDraft(0, OPTIONS)("answer", "completed")],
});
const INPUT = [
	{ role: "user", content: "look\ud800" },
	{ type: "message", id: "own", role: "assistant", content: "yes" },
	{ type: "function_call_output", call_id: "a", output: "x" },
];
const RECORD = toStored(RESPONSE, INPUT);

describe("a record", () => {
	it("holds the conversation with an id for each item, and survives the store", () => {
		expect(atOnce(decodeStored(atOnce(encodeStored(RECORD)))).input).toEqual([
			{
				...{ id: "msg_b-1_in0", type: "message", status: "completed", role: "user" },
				content: [{ type: "input_text", text: "look\ufffd" }],
			},
			{
				...{ id: "own", type: "message", status: "completed", role: "assistant" },
				content: [{ type: "output_text", text: "yes" }],
			},
			{ id: "fco_b-1_in2", type: "function_call_output", call_id: "a", output: "x" },
		]);
		expect(atOnce(decodeStored(atOnce(encodeStored(RECORD)))).response).toEqual(RECORD.response);
	});

	it("survives the store whatever its length", () => {
		const input = [
			{ role: "user", content: `${"\u{1f600}é\n".repeat(500_000)}\ud800` },
			{ role: "user", content: "x" },
		];
		const kept = atOnce(decodeStored(atOnce(encodeStored(toStored(RESPONSE, input)))));
		expect(kept.input[0]?.content).toEqual([{ type: "input_text", text: `${"\u{1f600}é\n".repeat(500_000)}\ufffd` }]);
		expect(kept.input[1]?.content).toEqual([{ type: "input_text", text: "x" }]);
	});

	it("is found by the id of the response and of each of its items", () => {
		const body = {
			previous_response_id: "resp_0",
			input: [
				{ type: "item_reference", id: "msg_b-1_0" },
				{ id: "fco_b-1_in2" },
				{ type: "item_reference", id: "own" },
				5,
			],
		};
		expect(earlierIdsOf(body)).toEqual(["resp_0", "resp_b-1"]);
		const resolve = resolverOf([RECORD]);
		expect(resolve("resp_b-1")).toHaveLength(4);
		expect(resolve("msg_b-1_0")).toEqual([RESPONSE.output[0]]);
		expect(resolve("own")).toEqual([RECORD.input[1]]);
		expect(resolve("resp_0")).toBeUndefined();
	});

	it("answers to being deleted", () => {
		expect(deletedResponse("resp_b-1")).toEqual({ id: "resp_b-1", object: "response", deleted: true });
	});
});

describe("listInputItems", () => {
	const ids = (query: object) => listInputItems(RECORD, query).data.map(({ id }) => id);

	it("pages in both directions", () => {
		const all = RECORD.input.map(({ id }) => id);
		expect(ids({ order: "asc" })).toEqual(all);
		expect(ids({})).toEqual(all.toReversed());
		expect(listInputItems(RECORD, { order: "asc", limit: "2" })).toMatchObject({
			...{ object: "list", first_id: all[0], last_id: "own", has_more: true },
		});
		expect(listInputItems(RECORD, { order: "asc", limit: "2", after: "own" })).toMatchObject({
			...{ data: [RECORD.input[2]], has_more: false },
		});
		expect(listInputItems({ ...RECORD, input: [] }, {})).toMatchObject({ first_id: null, last_id: null });
	});

	it.each([
		[{ limit: "0" }, "limit"],
		[{ limit: "101" }, "limit"],
		[{ limit: "x" }, "limit"],
		[{ order: "up" }, "order"],
		[{ after: "nobody" }, "after"],
	])("refuses %j", (query, param) => {
		expect(() => ids(query)).toThrow(expect.objectContaining({ kind: "invalid-request", param }));
	});
});
