import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changed, pathsOf, WRONG_VALUES, written } from "../../../test/kit/hostile/wrong-values.ts";
import { GatewayError } from "../../turn/error.ts";
import { parseJsonBody } from "../json/json-body.ts";
import { decodeResponsesRequest } from "./decode.ts";
import { earlierIdsOf } from "./earlier.ts";
import { toResponse } from "./encode.ts";
import { toStored } from "./stored-response.ts";

// Bodies that no client should send. Whatever they are: a turn, or an error that names the place.

const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64");
const RICH = {
	...{ model: "m", instructions: "i", stream: true, store: true, max_output_tokens: 10, parallel_tool_calls: false },
	input: [
		{ type: "message", id: "x", role: "developer", content: "prompt" },
		{
			role: "user",
			content: [
				{ type: "input_text", text: "hi" },
				{ type: "input_image", detail: "low", image_url: `data:image/png;base64,${PNG}` },
			],
		},
		{ type: "reasoning", id: "rs", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "x" },
		{ type: "function_call", id: "fc", call_id: "a", name: "read", namespace: "space", arguments: "{}" },
		{ type: "function_call_output", call_id: "a", output: [{ type: "input_text", text: "x" }] },
		{ type: "custom_tool_call", call_id: "b", name: "patch", input: "x" },
		{ type: "custom_tool_call_output", call_id: "b", output: "y" },
		{ type: "additional_tools", role: "developer", tools: [{ type: "function", name: "more" }] },
		{ type: "web_search_call", action: {} },
	],
	tools: [
		{ type: "function", name: "read", description: "d", strict: true, parameters: { type: "object" } },
		{ type: "custom", name: "patch", format: { type: "grammar", syntax: "lark", definition: "x" } },
		{ type: "namespace", name: "space", description: "d", tools: [{ type: "function", name: "read" }] },
	],
	tool_choice: { type: "function", name: "read" },
	text: { format: { type: "json_schema", name: "n", schema: {}, strict: true }, verbosity: "low" },
	reasoning: { effort: "low", summary: "auto" },
	include: ["reasoning.encrypted_content"],
	...{ user: "u", metadata: { a: "b" }, prompt_cache_key: "k", safety_identifier: "s", temperature: 0, top_p: 1 },
	...{ top_logprobs: 1, service_tier: "auto", truncation: "auto", background: false, max_tool_calls: 1 },
};

/** Also makes the record: what was accepted must be fit to be kept. */
function outcome(body: unknown): GatewayError | undefined {
	earlierIdsOf(body);
	try {
		const { echo, input, callForms } = decodeResponsesRequest(body, () => undefined);
		const options = { baseId: "b", created: 1, now: () => 1, echo, callForms, encryptedReasoning: false };
		const record = toStored(toResponse(options, { status: "completed" }), input);
		expect(record.input.every(({ id, type }) => typeof id === "string" && typeof type === "string")).toBe(true);
		return undefined;
	} catch (error) {
		if (!(error instanceof GatewayError)) throw error;
		return error;
	}
}

const PATHS = [...pathsOf(RICH)];

describe("a wrong value", () => {
	it("is what this body does not have", () => {
		expect(outcome(RICH)).toBeUndefined();
	});

	it("is never more than a 400 or 404 that names a place, at every path and for every type", () => {
		for (const path of PATHS) {
			for (const value of WRONG_VALUES) {
				const error = outcome(changed(RICH, path, value));
				if (!error) continue;
				expect([400, 404], error.message).toContain(error.status);
				expect(error.param, error.message).toMatch(/^[a-z_]+(?:[.[]|$)/);
			}
		}
	});

	const MUST_BE_TEXT = PATHS.filter((path) =>
		/^(text|model|name|role|call_id|instructions|user|effort)$/.test(String(path.at(-1))),
	).filter((path) => written(path) !== "text" && written(path) !== "input[7].role");

	it.each(MUST_BE_TEXT.map((path) => [written(path), path] as const))("is named by its path: %s", (param, path) => {
		expect(outcome(changed(RICH, path, 5))).toMatchObject({ kind: "invalid-request", param });
	});

	it("is found in any JSON", () => {
		fc.assert(
			fc.property(fc.constantFrom(...PATHS), fc.jsonValue(), (path, value) => {
				const error = outcome(changed(RICH, path, value));
				if (error) expect([400, 404]).toContain(error.status);
			}),
			{ numRuns: 400 },
		);
	});

	it.each<unknown>([null, 5, "x", [], [RICH], true])("is the whole body: %j", (body) => {
		expect(outcome(body)).toMatchObject({ kind: "invalid-request" });
	});
});

describe("names with a meaning in JavaScript", () => {
	it("are names like others, and change nothing", () => {
		const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
		const tools = names.map((name) => `{"type":"function","name":"${name}","parameters":{"__proto__":{"polluted":1}}}`);
		const calls = names.map((name) => `{"type":"function_call","call_id":"${name}","name":"${name}","arguments":"{}"}`);
		const outputs = names.map((name) => `{"type":"function_call_output","call_id":"${name}","output":"${name}"}`);
		const others = names.map((name) => `{"type":"${name}"}`);
		const body = parseJsonBody(
			Buffer.from(
				`{"model":"__proto__","__proto__":{"polluted":1},"tools":[${tools}],"input":[${[...calls, ...outputs, ...others]}]}`,
			),
		);
		const { turn } = decodeResponsesRequest(body, () => undefined);
		expect(turn.tools.map(({ name }) => name)).toEqual(names);
		expect(turn.messages[1]?.content).toMatchObject(names.map((callId) => ({ callId, content: [{ text: callId }] })));
		expect(turn.warnings).toHaveLength(names.length);
		expect({}).not.toHaveProperty("polluted");
	});
});

describe("large lists", () => {
	it("of unknown things give a short list of warnings", () => {
		const input = [{ role: "user", content: "hi" }, ...Array(10_000).fill({ type: "hologram" })];
		expect(decodeResponsesRequest({ model: "m", input }, () => undefined).turn.warnings).toHaveLength(20);
	});

	it.each([
		["wrong items", { input: Array(60_000).fill(5) }, "input[0]"],
		["wrong parts", { input: [{ role: "user", content: Array(10_000).fill(5) }] }, "input[0].content[0]"],
		["references to nothing", { input: Array(60_000).fill({ type: "item_reference", id: "msg_x_1" }) }, "input[0].id"],
	])("are refused at the first mistake: %s", (_name, fields, param) => {
		expect(outcome({ model: "m", ...fields })).toMatchObject({ param });
	});
});
