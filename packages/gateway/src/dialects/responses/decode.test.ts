import { describe, expect, it } from "vitest";
import { decodeResponsesRequest, type ResponsesRequest } from "./decode.ts";
import { OPAQUE_REASONING } from "./items.ts";

const nothing = () => undefined;
const decode = (fields: object): ResponsesRequest =>
	decodeResponsesRequest({ model: "m", input: "hi", ...fields }, nothing);
const turnOf = (fields: object) => decode(fields).turn;
const text = (value: string) => ({ type: "text", text: value });
const PNG = `data:image/png;base64,${Buffer.from("\x89PNG\r\n\x1a\n", "latin1").toString("base64")}`;

describe("input", () => {
	it("is a text, or items in order", () => {
		expect(turnOf({}).messages).toEqual([{ role: "user", content: [text("hi")] }]);
		const { messages, system, warnings } = turnOf({
			instructions: "Be brief.",
			input: [
				{ role: "developer", content: "prompt" },
				{ type: "message", role: "system", content: [{ type: "input_text", text: "more" }] },
				{
					role: "user",
					content: [
						{ type: "input_text", text: "look" },
						{ type: "input_image", image_url: PNG },
					],
				},
				{
					...{ type: "reasoning", id: "rs_1", encrypted_content: OPAQUE_REASONING },
					summary: [{ type: "summary_text", text: "Hm." }],
				},
				{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "I do." }] },
				{ type: "function_call", id: "fc_1", call_id: "a", name: "read", arguments: '{"p":1}' },
				{ type: "custom_tool_call", call_id: "b", name: "patch", input: "*** Begin" },
				{ type: "custom_tool_call_output", call_id: "b", output: "done" },
				{
					type: "function_call_output",
					call_id: "a",
					output: [
						{ type: "input_text", text: "x" },
						{ type: "input_image", image_url: PNG },
					],
				},
				{ role: "developer", content: "reminder" },
			],
		});
		expect(system).toEqual(["Be brief.", "prompt", "more"]);
		expect(warnings).toEqual([]);
		expect(messages).toMatchObject([
			{ role: "user", content: [text("look"), { type: "image", mediaType: "image/png" }] },
			{
				role: "assistant",
				content: [
					{ type: "thinking", text: "Hm." },
					text("I do."),
					{ type: "tool-call", id: "a", name: "read", arguments: '{"p":1}' },
					{ type: "tool-call", id: "b", name: "patch", arguments: "*** Begin" },
				],
			},
			{
				role: "tool",
				content: [
					{ callId: "a", content: [text("x"), { type: "image" }] },
					{ callId: "b", content: [text("done"), text("<system-reminder>\nreminder\n</system-reminder>")] },
				],
			},
		]);
		expect(JSON.stringify(messages)).not.toContain(OPAQUE_REASONING);
	});

	it("of system messages alone still asks for an answer", () => {
		expect(turnOf({ input: [{ role: "developer", content: "write a poem" }] })).toMatchObject({
			system: [],
			messages: [{ role: "user", content: [text("write a poem")] }],
		});
	});

	it.each([
		["nothing", { input: undefined }, "input"],
		[
			"a file",
			{ input: [{ role: "user", content: [{ type: "input_file", file_id: "f" }] }] },
			"input[0].content[0].type",
		],
		[
			"an uploaded image",
			{ input: [{ role: "user", content: [{ type: "input_image", file_id: "f" }] }] },
			"input[0].content[0].image_url",
		],
		[
			"a compacted conversation",
			{ input: [{ type: "compaction", encrypted_content: "x" }] },
			"input[0].encrypted_content",
		],
		["a call without an id", { input: [{ type: "function_call", name: "a" }] }, "input[0].call_id"],
		["an unknown role", { input: [{ role: "wizard", content: "hi" }] }, "input[0].role"],
		["a stored prompt", { prompt: { id: "pmpt_1" } }, "prompt"],
		["a format that nobody knows", { text: { format: { type: "grammar" } } }, "text.format.type"],
		["a schema without a schema", { text: { format: { type: "json_schema", name: "n" } } }, "text.format.schema"],
		["a choice that is not offered", { tool_choice: { type: "function", name: "a" } }, "tool_choice"],
	])("is refused where it cannot be read: %s", (_name, fields, param) => {
		expect(() => decode(fields)).toThrow(expect.objectContaining({ kind: "invalid-request", param }));
	});

	it("leaves items of other types aside, whatever their fields", () => {
		const { warnings, messages } = turnOf({
			input: [
				{ role: "user", content: "hi" },
				{ type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search" } },
				{ type: "shell_call_output", call_id: 5, output: [{ stdout: "x" }] },
				{ type: "mcp_list_tools", tools: [{ type: 5 }] },
			],
		});
		expect(messages).toHaveLength(1);
		expect(warnings).toEqual(
			[1, 2, 3].map((at) => `input[${at}]: items of this type are not known and are left aside`),
		);
	});
});

describe("what is named and not sent", () => {
	const stored = new Map<string, unknown[]>([
		[
			"resp_1",
			[
				{ role: "user", content: "look" },
				{ type: "function_call", call_id: "a", name: "read", arguments: "{}" },
			],
		],
		[
			"msg_1",
			[{ type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "earlier" }] }],
		],
	]);
	const resolve = (id: string) => stored.get(id);

	it("is put in its place, and kept for the record", () => {
		const request = decodeResponsesRequest(
			{
				model: "m",
				previous_response_id: "resp_1",
				input: [
					{ type: "function_call_output", call_id: "a", output: "x" },
					{ type: "item_reference", id: "msg_1" },
					{ id: "msg_1" },
					{ role: "user", content: "go on" },
				],
			},
			resolve,
		);
		expect(request.input).toHaveLength(6);
		expect(request.turn.messages).toMatchObject([
			{ role: "user", content: [text("look")] },
			{ role: "assistant", content: [{ type: "tool-call", id: "a" }] },
			{ role: "tool", content: [{ callId: "a", content: [text("x")] }] },
			{ role: "assistant", content: [text("earlier"), text("earlier")] },
			{ role: "user", content: [text("go on")] },
		]);
		expect(request.turn.warnings).toEqual([]);
	});

	it.each([
		[{ previous_response_id: "resp_2" }, "previous_response_id", "previous-response-not-found"],
		[{ input: [{ type: "item_reference", id: "msg_2" }] }, "input[0].id"],
		[{ conversation: "conv_1" }, "conversation"],
		[{ conversation: { id: "conv_1" } }, "conversation"],
	])("is refused where it is not known: %j", (fields, param, kind = "not-found") => {
		expect(() => decodeResponsesRequest({ model: "m", input: "hi", ...fields }, resolve)).toThrow(
			expect.objectContaining({ kind, param }),
		);
	});
});

describe("tools", () => {
	const read = { type: "function", name: "read", description: "Reads.", parameters: { type: "object" }, strict: false };

	it("are functions and freeform tools; others are left aside", () => {
		const { turn, echo } = decode({
			tools: [
				read,
				{
					...{ type: "custom", name: "apply_patch", description: "Edits." },
					format: { type: "grammar", syntax: "lark", definition: "start: x" },
				},
				{ type: "web_search" },
				{ type: "image_generation", size: 5 },
				{ type: "tool_search", execution: "client", parameters: "none" },
			],
		});
		expect(turn.tools).toEqual([
			{ name: "read", description: "Reads.", inputSchema: { type: "object" }, kind: "function" },
			{
				name: "apply_patch",
				description: "Edits.\n\nThe input follows this lark grammar:\nstart: x",
				inputSchema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
				kind: "freeform",
			},
		]);
		expect(turn.warnings).toEqual([
			...[2, 3, 4].map((at) => `tools[${at}]: tools of this type cannot be offered; this one is left aside`),
			"tools: a grammar is told to the model, which may break it",
		]);
		expect(echo.tools).toEqual([read, expect.objectContaining({ type: "custom", name: "apply_patch" })]);
	});

	it("are repeated with all fields, null where the client had none", () => {
		expect(decode({ tools: [{ type: "function", name: "a" }] }).echo.tools).toEqual([
			{ type: "function", name: "a", description: null, parameters: null, strict: null },
		]);
	});

	it("of a namespace get names of their own, in the history too, and calls go back by the client's names", () => {
		const { turn, callForms } = decode({
			tools: [
				{ type: "namespace", name: "mcp__fs__", tools: [{ ...read, defer_loading: true }] },
				{ type: "namespace", name: "git", tools: [read, { type: "custom", name: "commit" }, { type: "hologram" }] },
				read,
			],
			input: [{ type: "function_call", call_id: "a", name: "read", namespace: "git", arguments: "" }],
		});
		expect(turn.tools.map(({ name }) => name)).toEqual(["mcp__fs__read", "git__read", "git__commit", "read"]);
		expect(turn.messages[0]?.content).toEqual([{ type: "tool-call", id: "a", name: "git__read", arguments: "{}" }]);
		expect([...callForms]).toEqual([
			["mcp__fs__read", { name: "read", namespace: "mcp__fs__", kind: "function" }],
			["git__read", { name: "read", namespace: "git", kind: "function" }],
			["git__commit", { name: "commit", namespace: "git", kind: "freeform" }],
			["read", { name: "read", kind: "function" }],
		]);
	});

	it.each([
		[undefined, { kind: "auto" }],
		["auto", { kind: "auto" }],
		["none", { kind: "none" }],
		["required", { kind: "required" }],
		[
			{ type: "function", name: "read" },
			{ kind: "tool", name: "read" },
		],
		[
			{ type: "custom", name: "patch" },
			{ kind: "tool", name: "patch" },
		],
		[{ type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "read" }] }, { kind: "required" }],
		[{ type: "web_search_preview" }, { kind: "auto" }],
	])("are chosen by %j", (tool_choice, expected) => {
		const turn = turnOf({ tools: [read, { type: "custom", name: "patch" }], tool_choice, parallel_tool_calls: false });
		expect(turn.toolChoice).toEqual(expected);
		expect(turn.parallelToolCalls).toBe(false);
		if (JSON.stringify(tool_choice)?.includes("allowed")) expect(turn.tools.map(({ name }) => name)).toEqual(["read"]);
	});
});

describe("settings", () => {
	it("have the effect that the turn has for them", () => {
		const request = decode({
			...{ stream: true, store: false, max_output_tokens: 100, user: "u", metadata: { a: "b" }, prompt_cache_key: "k" },
			reasoning: { effort: "high", summary: "auto" },
			include: ["reasoning.encrypted_content"],
			text: { format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true } },
		});
		expect(request).toMatchObject({ stream: true, store: false, encryptedReasoning: true });
		expect(request.turn).toMatchObject({
			limits: { maxOutputTokens: 100, stop: [] },
			thinking: { effort: "high" },
			output: { kind: "json-schema", name: "n", schema: { type: "object" }, strict: true },
			metadata: { a: "b", user: "u", prompt_cache_key: "k" },
			warnings: [],
		});
	});

	it("are those of a plain text otherwise", () => {
		expect(decode({})).toMatchObject({ stream: false, store: true, encryptedReasoning: false });
		expect(turnOf({ text: { format: { type: "json_object" } } }).output).toEqual({ kind: "json" });
		expect(turnOf({ text: { format: { type: "text" }, verbosity: "medium" } })).toMatchObject({
			output: { kind: "text" },
			thinking: {},
			warnings: [],
		});
	});

	it("that have none are told", () => {
		const { warnings } = turnOf({
			...{ temperature: 0, top_p: 0.5, top_logprobs: 3, service_tier: "flex", truncation: "auto", background: true },
			...{ max_tool_calls: 3, text: { verbosity: "low" } },
			...{ include: ["web_search_call.action.sources"], reasoning: { effort: "huge" }, tool_choice: "any" },
		});
		expect(warnings.map((line) => line.split(/[ :]/)[0])).toEqual([
			...["temperature", "top_p", "top_logprobs", "service_tier", "truncation", "background", "max_tool_calls"],
			...["text.verbosity", "include", "tool_choice", "reasoning.effort"],
		]);
	});
});
