import { describe, expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import type { TurnRequest } from "../../turn/request.ts";
import { type ChatRequest, decodeChatRequest } from "./decode.ts";

const HI = { role: "user", content: "hi" };
const PNG = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");
const PNG_URL = `data:image/png;base64,${PNG.toString("base64")}`;

const decode = (fields: object): ChatRequest => decodeChatRequest({ model: "m", messages: [HI], ...fields });
const turnOf = (fields: object): TurnRequest => decode(fields).turn;
const messagesOf = (...messages: object[]) => turnOf({ messages }).messages;
const text = (value: string) => ({ type: "text", text: value });

function refusal(fields: object): Pick<GatewayError, "kind" | "param" | "message"> {
	try {
		decode(fields);
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		const { kind, param, message } = error as GatewayError;
		return { kind, param, message };
	}
	throw new Error("it was taken");
}

describe("a request", () => {
	it("is complete with a model and a message", () => {
		expect(decode({})).toEqual({
			turn: {
				model: "m",
				system: [],
				messages: [{ role: "user", content: [text("hi")] }],
				tools: [],
				toolChoice: { kind: "auto" },
				parallelToolCalls: true,
				limits: { stop: [] },
				thinking: {},
				output: { kind: "text" },
				metadata: {},
				warnings: [],
			},
			stream: false,
			includeUsage: false,
			n: 1,
			legacyFunctions: false,
		});
	});

	it("may have null for everything that may be left out", () => {
		const optional =
			"tools tool_choice parallel_tool_calls functions function_call stream stream_options stop max_tokens max_completion_tokens response_format reasoning_effort reasoning n user metadata prompt_cache_key store temperature top_p seed logit_bias";
		const nulls = Object.fromEntries(optional.split(" ").map((field) => [field, null]));
		expect(decode(nulls)).toEqual(decode({}));
	});

	it("may have fields that nobody knows", () => {
		expect(decode({ search_parameters: { mode: "off" }, safety_identifier: "x", extra_body: [1] })).toEqual(decode({}));
	});

	it.each([
		["no messages", { messages: undefined }, "messages", "messages is required and must be an array."],
		["empty messages", { messages: [] }, "messages", "messages must hold a message that is not empty."],
		[
			"nothing but a result that answers no call",
			{ messages: [{ role: "tool", tool_call_id: "a", content: "x" }] },
			"messages",
			"messages must hold a message that is not empty.",
		],
		["no model", { model: undefined }, "model", "model is required and must be a string."],
		["an empty model", { model: "" }, "model", "model must be a string that is not empty."],
		["a line break in the model", { model: "a\r\nx: y" }, "model", "model must be free of control characters."],
		[
			"a role that does not exist",
			{ messages: [HI, { role: "robot", content: "x" }] },
			"messages[1].role",
			"messages[1].role must be one of system, developer, user, assistant, tool, function.",
		],
		[
			"a text that is a number",
			{ messages: [HI, HI, { role: "user", content: [{ type: "text", text: 5 }] }] },
			"messages[2].content[0].text",
			"messages[2].content[0].text must be a string.",
		],
		[
			"a text that is not there",
			{ messages: [{ role: "user", content: [{ type: "text" }] }] },
			"messages[0].content[0].text",
			"messages[0].content[0].text is required and must be a string.",
		],
		[
			"a result without an id",
			{ messages: [{ role: "tool", content: "x" }] },
			"messages[0].tool_call_id",
			"messages[0].tool_call_id is required and must be a string.",
		],
		[
			"a call without a function",
			{ messages: [{ role: "assistant", tool_calls: [{ id: "a", type: "function" }] }] },
			"messages[0].tool_calls[0].function",
			"messages[0].tool_calls[0].function is required and must be an object.",
		],
		[
			"a result without a name",
			{ messages: [{ role: "function", content: "x" }] },
			"messages[0].name",
			"messages[0].name is required and must be a string.",
		],
		[
			"too many messages",
			{ messages: Array(100_000).fill(HI) },
			"messages",
			"messages must be at most 65536 items long.",
		],
		[
			"a line break in an id",
			{ messages: [{ role: "tool", tool_call_id: "a\nb", content: "" }] },
			"messages[0].tool_call_id",
			"messages[0].tool_call_id must be free of control characters.",
		],
		[
			"a line break in metadata",
			{ metadata: { a: "b\0" } },
			"metadata.a",
			"metadata.a must be free of control characters.",
		],
		[
			"audio",
			{ messages: [{ role: "user", content: [{ type: "input_audio", input_audio: {} }] }] },
			"messages[0].content[0].type",
			"messages[0].content[0].type must be text or image_url: audio, video and files cannot be sent.",
		],
		["a string for a number", { max_tokens: "5" }, "max_tokens", "max_tokens must be a number."],
		["no tokens at all", { max_tokens: 0 }, "max_tokens", "max_tokens must be at least 1."],
		["a number that is no number", { temperature: "hot" }, "temperature", "temperature must be a number."],
		["a hundred choices", { n: 100 }, "n", "n must be at most 8."],
	])("is refused with %s", (_name, fields, param, message) => {
		expect(refusal(fields)).toEqual({ kind: "invalid-request", param, message });
	});
});

describe("messages", () => {
	it("take the system prompt from what stands before the user's first words", () => {
		const { system, messages } = turnOf({
			messages: [
				{ role: "system", content: "one" },
				{ role: "developer", content: [text("two"), text(""), text("three")] },
				{ role: "assistant", content: "Welcome." },
				{ role: "system", content: "four" },
				HI,
				{ role: "developer", content: "a reminder" },
			],
		});
		expect(system).toEqual(["one", "two", "three", "four"]);
		expect(messages).toEqual([
			{ role: "assistant", content: [text("Welcome.")] },
			{ role: "user", content: [text("hi"), text("<system-reminder>\na reminder\n</system-reminder>")] },
		]);
	});

	it("come behind the system prompt of clients that send it as a field", () => {
		const messages = [
			{ role: "system", content: "second" },
			{ role: "user", content: "hi" },
		];
		expect(decode({ system: "first", messages }).turn.system).toEqual(["first", "second"]);
		expect(decode({ system: [{ type: "text", text: "parts" }] }).turn.system).toEqual(["parts"]);
		expect(decode({ system: "" }).turn.system).toEqual([]);
		expect(refusal({ system: 7 })).toMatchObject({ kind: "invalid-request", param: "system" });
	});

	it("may be system messages alone: the last one is then the question", () => {
		const { system, messages } = turnOf({
			messages: [
				{ role: "system", content: "be brief" },
				{ role: "system", content: "say hi" },
			],
		});
		expect(system).toEqual(["be brief"]);
		expect(messages).toEqual([{ role: "user", content: [text("say hi")] }]);
	});

	it("take text as a string and as parts, by any of their names", () => {
		const content = [
			text("a"),
			{ type: "input_text", text: "b" },
			{ ...text("c"), cache_control: { type: "ephemeral" } },
		];
		expect(messagesOf({ role: "user", content })).toEqual([
			{ role: "user", content: [text("a"), text("b"), text("c")] },
		]);
	});

	it("take images in every form of data URL, for the user and for tools", () => {
		const image = { type: "image", mediaType: "image/png", data: PNG };
		const [user, , tool] = messagesOf(
			{
				role: "user",
				content: [
					text("see"),
					{ type: "image_url", image_url: { url: PNG_URL, detail: "low" } },
					{ type: "image_url", image_url: PNG_URL },
				],
			},
			{ role: "assistant", tool_calls: [{ id: "a", type: "function", function: { name: "shot", arguments: "{}" } }] },
			{ role: "tool", tool_call_id: "a", content: [text("here"), { type: "image_url", image_url: { url: PNG_URL } }] },
		);
		expect(user?.content).toEqual([text("see"), image, image]);
		expect(tool?.content).toEqual([
			{ type: "tool-result", callId: "a", content: [text("here"), image], isError: false },
		]);
	});

	it("refuse an image that would have to be fetched", () => {
		const messages = [{ role: "user", content: [{ type: "image_url", image_url: { url: "file:///etc/passwd" } }] }];
		expect(refusal({ messages })).toEqual({
			kind: "image-refused",
			param: "messages[0].content[0].image_url.url",
			message: "The gateway does not fetch images from URLs.",
		});
	});

	it("leave unknown parts aside, and images where no model looks for them", () => {
		const { messages, warnings } = turnOf({
			messages: [
				{ role: "user", content: [text("a"), { type: "hologram", text: "b" }] },
				{
					role: "assistant",
					content: [{ type: "reasoning", text: "hm" }, text("c"), { type: "image_url", image_url: PNG_URL }],
				},
			],
		});
		expect(messages).toEqual([
			{ role: "user", content: [text("a")] },
			{ role: "assistant", content: [text("c")] },
		]);
		expect(warnings).toEqual([
			"messages[0].content[1]: parts of this type are not known and are left aside",
			"messages[1].content[0]: parts of this type are not known and are left aside",
			"messages[1].content: only user and tool messages may hold images",
		]);
	});

	it("tell the model who speaks", () => {
		expect(messagesOf({ role: "user", name: "ada", content: "hi" })).toEqual([
			{ role: "user", content: [text("ada: hi")] },
		]);
	});

	it("take all that an assistant may have said", () => {
		const [message] = messagesOf({
			role: "assistant",
			name: "helper",
			reasoning_content: "I think",
			reasoning: "I think",
			content: [text("Yes."), { type: "refusal", refusal: "Not that." }],
			refusal: "Nor that.",
			audio: null,
			tool_calls: [
				{ id: "a", type: "function", function: { name: "read", arguments: '{"path":"x"}' } },
				{ id: "b", type: "function", function: { name: "list", arguments: "" } },
				{ id: "c", type: "function", function: { name: "find", arguments: { q: 1 } } },
				{ id: "d", type: "custom", custom: { name: "run", input: "ls" } },
				{ type: "function", function: { name: "stat" } },
			],
		});
		const call = (id: string, name: string, args: string) => ({ type: "tool-call", id, name, arguments: args });
		expect(message?.content).toEqual([
			{ type: "thinking", text: "I think" },
			text("Yes."),
			text("Not that."),
			text("Nor that."),
			call("a", "read", '{"path":"x"}'),
			call("b", "list", "{}"),
			call("c", "find", '{"q":1}'),
			call("d", "run", "ls"),
			call("call_0_4", "stat", "{}"),
		]);
	});

	it("take thinking by the other name", () => {
		const [message] = messagesOf({ role: "assistant", content: "Yes.", reasoning: "Hm." });
		expect(message?.content).toEqual([{ type: "thinking", text: "Hm." }, text("Yes.")]);
	});

	it("take results in parts, with an error mark, empty, and in any order", () => {
		const calls = ["a", "b", "c"].map((id) => ({ id, type: "function", function: { name: "read", arguments: "{}" } }));
		const [, tool] = messagesOf(
			{ role: "assistant", content: null, tool_calls: calls },
			{ role: "tool", tool_call_id: "c", content: [text("1"), text("2")] },
			{ role: "tool", tool_call_id: "a", content: "no such file", is_error: true },
			{ role: "tool", tool_call_id: "b", content: "" },
		);
		expect(tool?.content).toEqual([
			{ type: "tool-result", callId: "a", content: [text("no such file")], isError: true },
			{ type: "tool-result", callId: "b", content: [], isError: false },
			{ type: "tool-result", callId: "c", content: [text("1"), text("2")], isError: false },
		]);
	});

	it("find the call that a function's result belongs to by the name", () => {
		const ask = (name: string) => ({ role: "assistant", content: null, function_call: { name, arguments: "{}" } });
		const messages = messagesOf(ask("read"), { role: "function", name: "read", content: "1" }, ask("read"), {
			role: "function",
			name: "read",
			content: "2",
		});
		expect(messages.map(({ content }) => content[0])).toEqual([
			{ type: "tool-call", id: "call_0", name: "read", arguments: "{}" },
			{ type: "tool-result", callId: "call_0", content: [text("1")], isError: false },
			{ type: "tool-call", id: "call_2", name: "read", arguments: "{}" },
			{ type: "tool-result", callId: "call_2", content: [text("2")], isError: false },
		]);
	});

	it("are repaired, and the client is told", () => {
		const { messages, warnings } = turnOf({
			messages: [
				{ role: "tool", tool_call_id: "z", content: "lost" },
				{
					role: "assistant",
					content: "",
					tool_calls: [{ id: "a", type: "function", function: { name: "read", arguments: "{}" } }],
				},
				HI,
			],
		});
		expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "user"]);
		expect(warnings).toEqual([
			"messages: results without a matching call are ignored (1)",
			"messages: calls without a result get an error as their result (1)",
		]);
	});

	it("have U+FFFD for half a surrogate pair, and all else as it was", () => {
		expect(messagesOf({ role: "user", content: "a\ud800b\0\u202e😀" })).toEqual([
			{ role: "user", content: [text("a\ufffdb\0\u202e😀")] },
		]);
	});
});

describe("tools", () => {
	const parameters = { type: "object", properties: { path: { $ref: "#" } }, strange: [null] };
	const tool = (name: string, more: object = {}) => ({
		type: "function",
		function: { name, description: `${name} it`, parameters, ...more },
	});

	it("are offered with their schemas untouched", () => {
		expect(turnOf({ tools: [tool("read"), { function: { name: "now" } }] }).tools).toEqual([
			{ name: "read", description: "read it", inputSchema: parameters, kind: "function" },
			{ name: "now", description: "", inputSchema: { type: "object", properties: {} }, kind: "function" },
		]);
	});

	it("of other types are left aside, as are second ones of a name; strict is accepted", () => {
		const { tools, warnings } = turnOf({
			tools: [
				{ type: "web_search" },
				tool("read", { strict: true }),
				{ type: "custom", custom: { name: "run" } },
				tool("read"),
			],
		});
		expect(tools.map(({ name }) => name)).toEqual(["read"]);
		expect(warnings).toEqual([
			"tools[0]: only tools of type function can be offered; this one is left aside",
			"tools[2]: only tools of type function can be offered; this one is left aside",
			"tools: strict has no effect; check the arguments of a call against its schema",
			"tools[3].function.name: a tool of this name is there already; this one is left aside",
		]);
	});

	it.each([
		["auto", { kind: "auto" }],
		["none", { kind: "none" }],
		["required", { kind: "required" }],
		["any", { kind: "required" }],
		[{ type: "auto" }, { kind: "auto" }],
		[
			{ type: "function", function: { name: "read" } },
			{ kind: "tool", name: "read" },
		],
		[
			{
				type: "allowed_tools",
				allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "read" } }] },
			},
			{ kind: "required" },
		],
	])("are chosen by tool_choice %j", (choice, toolChoice) => {
		expect(turnOf({ tools: [tool("read"), tool("write")], tool_choice: choice }).toolChoice).toEqual(toolChoice);
	});

	it("are narrowed by allowed_tools", () => {
		const allowed = {
			type: "allowed_tools",
			allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "write" } }] },
		};
		expect(
			turnOf({ tools: [tool("read"), tool("write")], tool_choice: allowed }).tools.map(({ name }) => name),
		).toEqual(["write"]);
	});

	it("cannot be demanded where there are none, nor chosen by an unknown word", () => {
		expect(turnOf({ tool_choice: "required" })).toMatchObject({
			toolChoice: { kind: "auto" },
			warnings: ["tool_choice: there is no tool to call"],
		});
		expect(turnOf({ tool_choice: "toString" })).toMatchObject({
			toolChoice: { kind: "auto" },
			warnings: ["tool_choice: this choice is not known; the model decides"],
		});
	});

	it("may be called one at a time", () => {
		expect(turnOf({ tools: [tool("read")], parallel_tool_calls: false }).parallelToolCalls).toBe(false);
	});

	it("come as functions from older clients, one call at a time", () => {
		const functions = [{ name: "read", description: "read it", parameters }, { name: "write" }];
		expect(decode({ functions, function_call: { name: "read" } })).toMatchObject({
			legacyFunctions: true,
			turn: {
				tools: [
					{ name: "read", inputSchema: parameters },
					{ name: "write", inputSchema: { type: "object", properties: {} } },
				],
				toolChoice: { kind: "tool", name: "read" },
				parallelToolCalls: false,
			},
		});
		expect(decode({ functions, function_call: "none" }).turn.toolChoice).toEqual({ kind: "none" });
		expect(decode({ functions, tools: [tool("other")] })).toMatchObject({
			legacyFunctions: false,
			turn: { tools: [{ name: "other" }] },
		});
	});

	it.each([
		["a name with a dot", { tools: [tool("a.b")] }, "tools[0].function.name"],
		["a name with a line break", { tools: [tool("ok"), tool("a\n")] }, "tools[1].function.name"],
		["a name that is too long", { functions: [{ name: "x".repeat(65) }] }, "functions[0].name"],
		["an empty name", { tools: [tool("")] }, "tools[0].function.name"],
		["no function", { tools: [{ type: "function" }] }, "tools[0].function"],
		["a schema that is no object", { tools: [tool("a", { parameters: "x" })] }, "tools[0].function.parameters"],
		[
			"a choice that is not offered",
			{ tools: [tool("a")], tool_choice: { type: "function", function: { name: "b" } } },
			"tool_choice",
		],
		["a function that is not offered", { functions: [{ name: "a" }], function_call: { name: "b" } }, "function_call"],
		["ten thousand of them", { tools: Array(10_000).fill(tool("a")) }, "tools"],
	])("are refused with %s", (_name, fields, param) => {
		expect(refusal(fields)).toMatchObject({ kind: "invalid-request", param });
	});
});

describe("settings", () => {
	it("about the stream and the number of answers", () => {
		expect(
			decode({ stream: true, stream_options: { include_usage: true, include_obfuscation: false }, n: 3 }),
		).toMatchObject({
			stream: true,
			includeUsage: true,
			n: 3,
		});
	});

	it.each([
		[{ max_tokens: 5 }, { stop: [], maxOutputTokens: 5 }],
		[
			{ max_completion_tokens: 6, max_tokens: 5 },
			{ stop: [], maxOutputTokens: 6 },
		],
		[{ max_tokens: -1 }, { stop: [] }],
		[{ stop: "END" }, { stop: ["END"] }],
		[{ stop: ["a", "", "b\ud800"] }, { stop: ["a", "b\ufffd"] }],
	])("about limits: %j", (fields, limits) => {
		expect(turnOf(fields).limits).toEqual(limits);
	});

	it.each([
		[{ type: "text" }, { kind: "text" }],
		[{ type: "json_object" }, { kind: "json" }],
		[
			{ type: "json_schema", json_schema: { name: "n", schema: { a: 1 }, strict: true } },
			{ kind: "json-schema", name: "n", schema: { a: 1 }, strict: true },
		],
		[
			{ type: "json_schema", json_schema: { schema: {} } },
			{ kind: "json-schema", name: "response", schema: {}, strict: false },
		],
		[{ type: "json_schema", json_schema: { name: "n" } }, { kind: "json" }],
		[
			{ type: "json_schema", name: "n", schema: { a: 1 }, strict: true },
			{
				...{ kind: "json-schema", name: "n", schema: { a: 1 }, strict: true },
				schemaParam: "response_format.schema",
			},
		],
	])("about the output: %j", (format, output) => {
		expect(turnOf({ response_format: format })).toMatchObject({ output, warnings: [] });
	});

	it("about an output that nobody knows", () => {
		expect(refusal({ response_format: { type: "grammar" } })).toMatchObject({
			...{ kind: "invalid-request", param: "response_format.type" },
			message: "response_format.type must be one of text, json_object, json_schema.",
		});
		expect(refusal({ response_format: { type: "json_schema" } }).param).toBe("response_format.json_schema");
	});

	it.each([
		[{ reasoning_effort: "high" }, "high"],
		[{ reasoning_effort: "none" }, "none"],
		[{ reasoning_effort: "max" }, "xhigh"],
		[{ reasoning: { effort: "low" } }, "low"],
	])("about thinking: %j", (fields, effort) => {
		expect(turnOf(fields)).toMatchObject({ thinking: { effort }, warnings: [] });
	});

	it.each(["furious", "constructor", "__proto__"])("about thinking that nobody knows: %s", (effort) => {
		const { thinking, warnings } = turnOf({ reasoning_effort: effort });
		expect(thinking.effort).toBeUndefined();
		expect(warnings).toEqual([
			"reasoning_effort: this effort is not known; one of none, minimal, low, medium, high, xhigh has an effect",
		]);
	});

	it("that have no effect are told, unless they ask for nothing", () => {
		expect(
			turnOf({ temperature: 0, top_p: 0.5, seed: 1, logprobs: true, logit_bias: { "1": 2 }, service_tier: "flex" })
				.warnings,
		).toEqual([
			...["temperature has no effect", "top_p has no effect", "seed has no effect", "logprobs has no effect"],
			...["logit_bias has no effect", "service_tier has no effect"],
		]);
		expect(
			turnOf({ temperature: 1, top_p: 1, frequency_penalty: 0, presence_penalty: 0, service_tier: "auto", store: true })
				.warnings,
		).toEqual([]);
		expect(turnOf({ modalities: ["text"] }).warnings).toEqual([]);
		expect(turnOf({ modalities: ["text", "audio"] }).warnings).toEqual(["modalities has no effect"]);
	});

	it("that are hints are kept as such", () => {
		const body = JSON.parse('{"metadata":{"a":"b","__proto__":"c"}}');
		const { metadata } = turnOf({ ...body, user: "u", prompt_cache_key: "k" });
		expect(metadata).toEqual({ a: "b", user: "u", prompt_cache_key: "k" });
		expect(Object.getPrototypeOf(metadata)).toBe(Object.prototype);
	});
});
