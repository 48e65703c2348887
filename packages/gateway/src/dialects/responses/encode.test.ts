import { describe, expect, it } from "vitest";
import { violations } from "../../../test/kit/schemas/responses/published.ts";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import { decodeResponsesRequest } from "./decode.ts";
import { encodeResponse } from "./encode.ts";
import { encodeResponsesError, toResponseError } from "./errors.ts";

const body = {
	...{ model: "m", input: "hi", instructions: "i", metadata: { a: "b" }, max_output_tokens: 9, store: false },
	tools: [
		{ type: "function", name: "read" },
		{ type: "custom", name: "patch", format: { type: "text" } },
		{ type: "namespace", name: "git", tools: [{ type: "function", name: "log" }] },
	],
	text: { format: { type: "json_schema", schema: { type: "object" } } },
};
const request = decodeResponsesRequest(body, () => undefined);
const OPTIONS = { ...request, baseId: "b", created: 1, now: () => 2 };
const turn = (content: CollectedTurn["content"]): CollectedTurn => ({
	...new TurnCollector().turn,
	content,
	end: { reason: "stop" },
});

describe("encodeResponse", () => {
	it("repeats the request and is valid", () => {
		const response = encodeResponse(
			turn([
				{ type: "thinking", text: "Hm." },
				{ type: "text", text: "" },
				{ type: "tool-call", id: "a", name: "patch", arguments: "*** Begin" },
				{ type: "tool-call", id: "b", name: "git__log", arguments: "{}" },
			]),
			OPTIONS,
		);
		expect(violations("response", response)).toEqual([]);
		expect(response).toMatchObject({
			...{ id: "resp_b", status: "completed", created_at: 1, completed_at: 2, instructions: "i", store: false },
			...{ metadata: { a: "b" }, max_output_tokens: 9, error: null },
			text: { format: { type: "json_schema", name: "response", schema: { type: "object" }, strict: false } },
			output: [
				{ id: "rs_b_0", summary: [{ text: "Hm." }] },
				{ id: "ctc_b_1", type: "custom_tool_call", call_id: "a", name: "patch", input: "*** Begin" },
				{ id: "fc_b_2", type: "function_call", call_id: "b", name: "log", namespace: "git", arguments: "{}" },
			],
		});
	});

	it("is never made of a turn that was cut short", () => {
		expect(() => encodeResponse({ ...turn([]), end: undefined }, OPTIONS)).toThrow(
			expect.objectContaining({ kind: "internal" }),
		);
	});
});

describe("errors", () => {
	it("have OpenAI's form, inside a response and outside", () => {
		const error = new GatewayError("rate-limited");
		expect(encodeResponsesError(error)).toMatchObject({
			...{ status: 429, headers: { "retry-after": "20", "x-should-retry": "true" } },
			body: { error: { type: "rate_limit_error", code: "rate_limit_exceeded", param: null } },
		});
		expect(toResponseError(error)).toEqual({ code: "rate_limit_exceeded", message: error.fullMessage });
	});
});
