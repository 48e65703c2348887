import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changed, pathsOf, WRONG_VALUES, written } from "../../../test/kit/hostile/wrong-values.ts";
import { violations } from "../../../test/kit/schemas/chat/published.ts";
import { GatewayError } from "../../turn/error.ts";
import { parseJsonBody } from "../json/json-body.ts";
import { decodeChatRequest } from "./decode.ts";
import { encodeChatError } from "./errors.ts";

// Bodies that no client should send. Whatever they are: a turn, or an error that names the place.

const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64");
const RICH = {
	model: "m",
	messages: [
		{ role: "system", content: [{ type: "text", text: "prompt" }] },
		{
			role: "user",
			name: "ada",
			content: [
				{ type: "text", text: "hi" },
				{ type: "image_url", image_url: { url: `data:image/png;base64,${PNG}`, detail: "low" } },
			],
		},
		{
			role: "assistant",
			content: null,
			refusal: null,
			reasoning_content: "hm",
			tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: "{}" } }],
		},
		{ role: "tool", tool_call_id: "a", content: [{ type: "text", text: "x" }] },
		{ role: "assistant", content: "", function_call: { name: "read", arguments: "{}" } },
		{ role: "function", name: "read", content: "y" },
	],
	tools: [
		{ type: "function", function: { name: "read", description: "d", strict: true, parameters: { type: "object" } } },
	],
	tool_choice: { type: "function", function: { name: "read" } },
	functions: [{ name: "f", description: "d", parameters: {} }],
	function_call: { name: "f" },
	parallel_tool_calls: false,
	stream: true,
	stream_options: { include_usage: true },
	stop: ["END"],
	max_tokens: 10,
	max_completion_tokens: 10,
	response_format: { type: "json_schema", json_schema: { name: "n", schema: {}, strict: true } },
	reasoning_effort: "low",
	reasoning: { effort: "low" },
	...{ n: 1, user: "u", metadata: { a: "b" }, prompt_cache_key: "k", store: true, seed: 1, temperature: 0, top_p: 1 },
	...{
		logit_bias: { "1": 1 },
		logprobs: true,
		top_logprobs: 1,
		modalities: ["text"],
		verbosity: "low",
		service_tier: "auto",
	},
};

function outcome(body: unknown): GatewayError | undefined {
	try {
		decodeChatRequest(body);
		return undefined;
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		return error as GatewayError;
	}
}

const PATHS = [...pathsOf(RICH)].map((path) => [written(path), path] as const);

describe("a wrong value", () => {
	it("is never more than a 400 that names a place, at every path and for every type", () => {
		for (const [, path] of PATHS) {
			for (const value of WRONG_VALUES) {
				const error = outcome(changed(RICH, path, value));
				if (!error) continue;
				expect(error.status, error.message).toBe(400);
				expect(error.param, error.message).toMatch(/^[a-z_]+(?:[.[]|$)/);
				expect(violations("error", encodeChatError(error).body)).toEqual([]);
			}
		}
	});

	const MUST_BE_TEXT = PATHS.filter(([, path]) =>
		/^(text|model|name|role|tool_call_id|refusal|reasoning_content|user|effort|reasoning_effort)$/.test(
			String(path.at(-1)),
		),
	);

	it.each(MUST_BE_TEXT)("is named by its path: %s", (param, path) => {
		expect(outcome(changed(RICH, path, 5))).toMatchObject({ kind: "invalid-request", param });
	});

	it("is found in any JSON", () => {
		fc.assert(
			fc.property(fc.constantFrom(...PATHS), fc.jsonValue(), ([, path], value) => {
				const error = outcome(changed(RICH, path, value));
				if (error) expect(error.status).toBe(400);
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
		const tools = names.map(
			(name) => `{"type":"function","function":{"name":"${name}","parameters":{"__proto__":{"polluted":1}}}}`,
		);
		const calls = names.map(
			(name) => `{"id":"${name}","function":{"name":"${name}","arguments":"{\\"__proto__\\":{\\"polluted\\":1}}"}}`,
		);
		const results = names.map((name) => `{"role":"tool","tool_call_id":"${name}","content":"${name}"}`);
		const body = parseJsonBody(
			Buffer.from(
				`{"model":"__proto__","__proto__":{"polluted":1},"metadata":{"__proto__":"x","constructor":"y"},"tools":[${tools}],"messages":[{"role":"assistant","tool_calls":[${calls}]},${results}]}`,
			),
		);
		const { turn } = decodeChatRequest(body);
		expect(turn.tools.map(({ name }) => name)).toEqual(names);
		expect(turn.messages[1]?.content).toMatchObject(names.map((callId) => ({ callId, content: [{ text: callId }] })));
		expect(turn.warnings).toEqual([]);
		expect({}).not.toHaveProperty("polluted");
		expect(Object.keys(Object.prototype)).toEqual([]);
	});
});

describe("schemas of tools", () => {
	it.each([
		["a cyclic reference", { $ref: "#" }],
		["a pattern that never ends", { type: "string", pattern: "(a+)+$" }],
		["no type", {}],
		["a long description", { description: "x".repeat(1_000_000) }],
	])("are data and nothing else: %s", (_name, parameters) => {
		const tools = [{ type: "function", function: { name: "a", parameters } }];
		const { turn } = decodeChatRequest({ model: "m", messages: [{ role: "user", content: "hi" }], tools });
		expect(turn.tools[0]?.inputSchema).toBe(parameters);
	});
});

describe("large lists", () => {
	it("of unknown things give a short list of warnings", () => {
		const content = [{ type: "text", text: "hi" }, ...Array(10_000).fill({ type: "hologram" })];
		const { turn } = decodeChatRequest({ model: "m", messages: [{ role: "user", content }] });
		expect(turn.warnings).toHaveLength(20);
	});

	it.each([
		["wrong messages", { messages: Array(60_000).fill(5) }, "messages[0]"],
		["wrong parts", { messages: [{ role: "user", content: Array(10_000).fill(5) }] }, "messages[0].content[0]"],
		["too many stop sequences", { stop: Array(100_000).fill("x") }, "stop"],
	])("are refused at the first mistake: %s", (_name, fields, param) => {
		const body = { model: "m", messages: [{ role: "user", content: "hi" }], ...fields };
		expect(outcome(body)).toMatchObject({ kind: "invalid-request", param });
	});
});
