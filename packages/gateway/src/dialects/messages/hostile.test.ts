import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostileText } from "../../../test/kit/arbitrary/turn-events.ts";
import { changed, pathsOf, WRONG_VALUES, written } from "../../../test/kit/hostile/wrong-values.ts";
import { violations } from "../../../test/kit/schemas/messages/published.ts";
import { GatewayError } from "../../turn/error.ts";
import { parseJsonBody } from "../json/json-body.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { decodeMessagesRequest } from "./decode.ts";
import { encodeMessagesError } from "./errors.ts";

// Bodies that no client should send. Whatever they are: a turn, or an error that names the place.

const PNG = Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64");
const RICH = {
	model: "m",
	system: [{ type: "text", text: "prompt", cache_control: { type: "ephemeral" } }],
	messages: [
		{ role: "system", content: "more" },
		{
			role: "user",
			content: [
				{ type: "text", text: "hi" },
				{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
				{ type: "document", title: "t", context: "c", source: { type: "text", data: "d" } },
				{ type: "document", source: { type: "content", content: [{ type: "text", text: "x" }] } },
				{ type: "search_result", title: "t", source: "s", content: [{ type: "text", text: "x" }] },
				{ type: "container_upload", file_id: "f" },
			],
		},
		{
			role: "assistant",
			content: [
				{ type: "thinking", thinking: "hm", signature: "s" },
				{ type: "redacted_thinking", data: "d" },
				{ type: "text", text: "a" },
				{ type: "tool_use", id: "a", name: "read", input: { p: 1 } },
				{ type: "server_tool_use", id: "s", name: "web_search", input: {} },
			],
		},
		{
			role: "user",
			content: [
				{
					type: "tool_result",
					tool_use_id: "a",
					is_error: true,
					content: [
						{ type: "text", text: "x" },
						{ type: "tool_reference", tool_name: "t" },
						{ type: "document", source: { type: "url", url: "http://x" } },
					],
				},
			],
		},
	],
	tools: [
		{ name: "read", description: "d", input_schema: { type: "object" }, strict: true, defer_loading: true },
		{ type: "web_search_20250305", name: "web_search", max_uses: 5 },
	],
	tool_choice: { type: "tool", name: "read", disable_parallel_tool_use: true },
	...{ max_tokens: 10, stop_sequences: ["END"], stream: true, temperature: 0, top_p: 1, top_k: 1 },
	thinking: { type: "enabled", budget_tokens: 1024 },
	output_config: { effort: "low", format: { type: "json_schema", schema: {} } },
	output_format: { type: "json_schema", schema: {} },
	metadata: { user_id: "u" },
	...{ service_tier: "auto", context_management: { edits: [] }, mcp_servers: [{ url: "x" }], container: "c" },
};

function outcome(body: unknown): GatewayError | undefined {
	try {
		decodeMessagesRequest(body);
		return undefined;
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		return error as GatewayError;
	}
}

const PATHS = [...pathsOf(RICH)].map((path) => [written(path), path] as const);

describe("a wrong value", () => {
	it("is never more than a 400 that names a place, at every path and for every type", () => {
		expect(outcome(RICH)).toBeUndefined();
		for (const [, path] of PATHS) {
			for (const value of WRONG_VALUES) {
				const error = outcome(changed(RICH, path, value));
				if (!error) continue;
				expect(error.status, error.message).toBe(400);
				expect(error.param, error.message).toMatch(/^[a-z_]+(?:[.[]|$)/);
				expect(violations("error", encodeMessagesError(error).body)).toEqual([]);
			}
		}
	});

	const MUST_BE_TEXT = PATHS.filter(
		([param, path]) =>
			/^(text|model|role|tool_use_id|thinking|user_id|effort|tool_name)$/.test(String(path.at(-1))) &&
			param !== "thinking",
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

describe("hostile text", () => {
	it("reaches the model as it is, but for halves of pairs", () => {
		const text = hostileText.filter((value) => value !== "");
		fc.assert(
			fc.property(text, (value) => {
				const content = [{ type: "text", text: value }];
				const { turn } = decodeMessagesRequest({
					model: "m",
					system: `prompt ${value}`,
					messages: [
						{ role: "user", content },
						{ role: "assistant", content: [{ type: "tool_use", id: "a", name: "read", input: { value } }] },
						{ role: "user", content: [{ type: "tool_result", tool_use_id: "a", content }] },
					],
				});
				const part = { type: "text", text: wellFormed(value) };
				expect(turn.system).toEqual([`prompt ${wellFormed(value)}`]);
				expect(turn.messages[0]).toEqual({ role: "user", content: [part] });
				expect(turn.messages[1]?.content).toMatchObject([{ arguments: JSON.stringify({ value }) }]);
				expect(turn.messages[2]?.content).toMatchObject([{ callId: "a", content: [part] }]);
			}),
		);
	});
});

describe("names with a meaning in JavaScript", () => {
	it("are names like others, and change nothing", () => {
		const names = ["__proto__", "constructor", "toString", "hasOwnProperty"];
		const tools = names.map((name) => `{"name":"${name}","input_schema":{"__proto__":{"polluted":1}}}`);
		const calls = names.map(
			(name) => `{"type":"tool_use","id":"${name}","name":"${name}","input":{"__proto__":{"polluted":1}}}`,
		);
		const results = names.map((name) => `{"type":"tool_result","tool_use_id":"${name}","content":"${name}"}`);
		const odd = names.map((name) => `{"type":"${name}","text":5}`);
		const body = parseJsonBody(
			Buffer.from(
				`{"model":"__proto__","__proto__":{"polluted":1},"tools":[${tools}],"messages":[{"role":"assistant","content":[${calls}]},{"role":"user","content":[${results},${odd}]}]}`,
			),
		);
		const { turn } = decodeMessagesRequest(body);
		expect(turn.tools.map(({ name }) => name)).toEqual(names);
		expect(turn.messages[0]?.content).toMatchObject(names.map(() => ({ arguments: '{"__proto__":{"polluted":1}}' })));
		expect(turn.messages[1]?.content).toMatchObject(names.map((callId) => ({ callId, content: [{ text: callId }] })));
		expect(turn.warnings).toHaveLength(names.length);
		expect({}).not.toHaveProperty("polluted");
		expect(Object.keys(Object.prototype)).toEqual([]);
	});
});

describe("large lists", () => {
	const base = { model: "m", messages: [{ role: "user", content: "hi" }] };

	it("of unknown things give a short list of warnings", () => {
		const content = [{ type: "text", text: "hi" }, ...Array(10_000).fill({ type: "hologram" })];
		const { turn } = decodeMessagesRequest({ ...base, messages: [{ role: "user", content }] });
		expect(turn.warnings).toHaveLength(20);
	});

	it.each([
		["wrong messages", { messages: Array(60_000).fill(5) }, "messages[0]"],
		["wrong blocks", { messages: [{ role: "user", content: Array(10_000).fill(5) }] }, "messages[0].content[0]"],
		["wrong texts", { system: Array(10_000).fill({ type: "text" }) }, "system[0].text"],
		["too many stop sequences", { stop_sequences: Array(100_000).fill("x") }, "stop_sequences"],
	])("are refused at the first mistake: %s", (_name, fields, param) => {
		expect(outcome({ ...base, ...fields })).toMatchObject({ kind: "invalid-request", param });
	});
});
