import { describe, expect, it } from "vitest";
import { GatewayError } from "../../turn/error.ts";
import type { TurnRequest } from "../../turn/request.ts";
import { decodeMessagesRequest, type MessagesRequest } from "./decode.ts";
import { encodeMessagesError } from "./errors.ts";
import { OWN_SIGNATURE } from "./signature.ts";

const HI = { role: "user", content: "hi" };
const PNG = Buffer.from("\x89PNG\r\n\x1a\n and more", "latin1");
const IMAGE = { type: "image", source: { type: "base64", media_type: "image/jpeg", data: PNG.toString("base64") } };
const IMAGE_PART = { type: "image", mediaType: "image/png", data: PNG };

const decode = (fields: object): MessagesRequest => decodeMessagesRequest({ model: "m", messages: [HI], ...fields });
const turnOf = (fields: object): TurnRequest => decode(fields).turn;
const text = (value: string) => ({ type: "text", text: value });
const user = (...content: object[]) => ({ role: "user", content });
const assistant = (...content: object[]) => ({ role: "assistant", content });
const use = (id: string, input: unknown = {}) => ({ type: "tool_use", id, name: "read", input });
const result = (id: string, content: unknown, more: object = {}) => ({
	...{ type: "tool_result", tool_use_id: id, content },
	...more,
});

function refusal(fields: object): GatewayError {
	try {
		decode(fields);
	} catch (error) {
		expect(error).toBeInstanceOf(GatewayError);
		return error as GatewayError;
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
		});
	});

	it("may have null for everything that may be left out", () => {
		const optional =
			"system tools tool_choice max_tokens stop_sequences stream thinking output_config output_format metadata thread temperature top_p top_k service_tier context_management mcp_servers container";
		const nulls = Object.fromEntries(optional.split(" ").map((field) => [field, null]));
		expect(decode(nulls)).toEqual(decode({}));
	});

	it("may have fields that nobody knows", () => {
		expect(decode({ cache_control: { type: "ephemeral" }, anthropic_beta: ["x"] })).toEqual(decode({}));
	});

	it("has limits, a stream and a hint at who asks", () => {
		const fields = {
			max_tokens: 5,
			stop_sequences: ["END", ""],
			stream: true,
			metadata: { user_id: '{"session_id":"s"}' },
		};
		expect(decode(fields)).toMatchObject({
			stream: true,
			turn: { limits: { maxOutputTokens: 5, stop: ["END"] }, metadata: { user: '{"session_id":"s"}' } },
		});
	});

	it("is warned of settings without effect, unless they ask for nothing", () => {
		const idle = { temperature: 1, top_p: 1, service_tier: "auto", mcp_servers: [] };
		expect(turnOf(idle).warnings).toEqual([]);
		const asking = { temperature: 0, top_k: 5, context_management: { edits: [] }, mcp_servers: [{ url: "x" }] };
		expect(turnOf(asking).warnings).toEqual(Object.keys(asking).map((field) => `${field} has no effect`));
	});

	it.each([
		["no messages", { messages: undefined }, "messages", "messages is required and must be an array."],
		["empty messages", { messages: [], system: "x" }, "messages", "messages must hold a message that is not empty."],
		["nothing said", { messages: [user(text(""))] }, "messages", "messages must hold a message that is not empty."],
		["an empty model", { model: "" }, "model", "model must be a string that is not empty."],
		["a line break in the model", { model: "a\r\nx: y" }, "model", "model must be free of control characters."],
		[
			"a role that does not exist",
			{ messages: [HI, { role: "robot", content: "x" }] },
			"messages[1].role",
			"messages[1].role must be one of user, assistant, system.",
		],
		[
			"a text that is not there",
			{ messages: [HI, user(text("a"), { type: "text" })] },
			"messages[1].content[1].text",
			"messages[1].content[1].text is required and must be a string.",
		],
		[
			"a wrong text deep inside",
			{ messages: [assistant(use("a")), user(result("a", [text("x"), { type: "text", text: 5 }]))] },
			"messages[1].content[0].content[1].text",
			"messages[1].content[0].content[1].text must be a string.",
		],
		[
			"a result without an id",
			{ messages: [user({ type: "tool_result", content: "x" })] },
			"messages[0].content[0].tool_use_id",
			"messages[0].content[0].tool_use_id is required and must be a string.",
		],
		[
			"a PDF",
			{ messages: [user({ type: "document", source: { type: "base64", media_type: "application/pdf", data: "x" } })] },
			"messages[0].content[0].source.type",
			"messages[0].content[0].source.type must be text or content: PDF and other files cannot be sent.",
		],
		["no tokens at all", { max_tokens: 0 }, "max_tokens", "max_tokens must be at least 1."],
		["a tool without a name", { tools: [{}] }, "tools[0].name", "tools[0].name is required and must be a string."],
		[
			"a choice of nothing",
			{ tool_choice: { type: "tool" } },
			"tool_choice.name",
			"tool_choice.name is required and must be a string.",
		],
		[
			"a choice of a tool that is not there",
			{ tools: [{ name: "read" }], tool_choice: { type: "tool", name: "write" } },
			"tool_choice.name",
			"tool_choice.name names a tool that is not offered.",
		],
		[
			"a format without a schema",
			{ output_config: { format: { type: "json_schema" } } },
			"output_config.format.schema",
			"output_config.format.schema is required and must be an object.",
		],
	])("is refused with %s", (_name, fields, param, message) => {
		expect(refusal(fields)).toMatchObject({ kind: "invalid-request", param, message });
	});

	it.each([
		[
			"from a URL that is not of the web",
			{ type: "url", url: "ftp://example.com/a.png" },
			"messages[0].content[0].source.url",
		],
		["of a file", { type: "file", file_id: "f" }, "messages[0].content[0].source.type"],
		["that is none", { type: "base64", data: "AAAA" }, "messages[0].content[0].source.data"],
	])("is refused with an image %s", (_name, source, param) => {
		expect(refusal({ messages: [user({ type: "image", source })] })).toMatchObject({ kind: "image-refused", param });
	});

	it.each([{ type: "create" }, { type: "continue", previous_message_id: "msg_1" }])(
		"is refused with a thread, so that the client sends whole histories: %j",
		(thread) => {
			const { status, body } = encodeMessagesError(refusal({ thread, messages: [] }));
			expect(status).toBe(400);
			expect(body.error).toMatchObject({
				type: "invalid_request_error",
				details: { error_code: "thread_unsupported_request" },
			});
		},
	);
});

describe("the system prompt", () => {
	it("is a text or blocks", () => {
		expect(turnOf({ system: "one" }).system).toEqual(["one"]);
		const blocks = [{ ...text("one"), cache_control: { type: "ephemeral", ttl: "1h" } }, text(""), text("two")];
		expect(turnOf({ system: blocks }).system).toEqual(["one", "two"]);
		expect(turnOf({ system: [] }).system).toEqual([]);
	});

	it("has no billing line", () => {
		const line = "x-anthropic-billing-header: cc_version=2.1.325; cc_entrypoint=cli; cch=a1b2c;";
		expect(turnOf({ system: [text(line), text("prompt")] }).system).toEqual(["prompt"]);
		expect(turnOf({ system: `${line}\nprompt` }).system).toEqual(["prompt"]);
		expect(turnOf({ system: [text("prompt"), text(line)] }).system).toEqual(["prompt", line]);
	});

	it("goes on in messages before the user's first words; later ones are reminders", () => {
		const messages = [
			{ role: "system", content: "two" },
			HI,
			{ role: "assistant", content: "a" },
			{ role: "system", content: [text("a reminder")] },
		];
		const turn = turnOf({ system: "one", messages });
		expect(turn.system).toEqual(["one", "two"]);
		expect(turn.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
		expect(turn.messages[2]?.content).toEqual([text("<system-reminder>\na reminder\n</system-reminder>")]);
	});

	it("has no images", () => {
		const turn = turnOf({ messages: [{ role: "system", content: [text("one"), IMAGE] }, HI] });
		expect(turn.system).toEqual(["one"]);
		expect(turn.warnings).toEqual(["messages[0].content: only user messages and results may hold images"]);
	});

	it("of messages alone still asks for an answer", () => {
		const messages = [
			{ role: "system", content: "one" },
			{ role: "system", content: "two" },
		];
		expect(turnOf({ system: "prompt", messages })).toMatchObject({
			system: ["prompt", "one"],
			messages: [{ role: "user", content: [text("two")] }],
		});
	});
});

describe("blocks", () => {
	it("of the user are text, images and documents", () => {
		const content = user(
			{ ...text("a"), cache_control: { type: "ephemeral" }, citations: [] },
			IMAGE,
			{ type: "document", title: "T", context: "C", source: { type: "text", media_type: "text/plain", data: "D" } },
			{ type: "document", source: { type: "content", content: "E" } },
			{ type: "document", source: { type: "content", content: [text("F"), IMAGE] } },
			{ type: "search_result", title: "G", source: "H", content: [text("I")], citations: { enabled: true } },
		);
		const turn = turnOf({ messages: [content] });
		expect(turn.warnings).toEqual([]);
		expect(turn.messages[0]?.content).toEqual([
			text("a"),
			IMAGE_PART,
			...[text("T"), text("C"), text("D")],
			text("E"),
			...[text("F"), IMAGE_PART],
			text("G\nH\nI"),
		]);
	});

	it("of the assistant are text, thinking and calls", () => {
		const { messages, warnings } = turnOf({
			messages: [
				HI,
				assistant(
					{ type: "thinking", thinking: "ours", signature: OWN_SIGNATURE },
					{ type: "thinking", thinking: "theirs", signature: "s" },
					{ type: "redacted_thinking", data: "x" },
					text("a"),
					use("a", { path: "x" }),
					use("b", null),
					use("c", '{"path":'),
				),
				user(result("c", "3"), result("a", "1"), text("go on"), result("b", null)),
			],
		});
		expect(warnings).toEqual([]);
		expect(messages[1]?.content).toEqual([
			{ type: "thinking", text: "ours" },
			{ type: "thinking", text: "theirs", signature: "s" },
			text("a"),
			{ type: "tool-call", id: "a", name: "read", arguments: '{"path":"x"}' },
			{ type: "tool-call", id: "b", name: "read", arguments: "{}" },
			{ type: "tool-call", id: "c", name: "read", arguments: '{"path":' },
		]);
		expect(messages[2]?.content).toEqual([
			{ type: "tool-result", callId: "a", content: [text("1")], isError: false },
			{ type: "tool-result", callId: "b", content: [], isError: false },
			{ type: "tool-result", callId: "c", content: [text("3")], isError: false },
		]);
		expect(messages[3]).toEqual({ role: "user", content: [text("go on")] });
	});

	it("of a result are text, images, errors and the tools that a search has found", () => {
		const content = [text("x"), IMAGE, { type: "tool_reference", tool_name: "write" }];
		const messages = [assistant(use("a")), user(result("a", content, { is_error: true, cache_control: {} }))];
		expect(turnOf({ messages }).messages[1]?.content).toEqual([
			{
				...{ type: "tool-result", callId: "a", isError: true },
				content: [text("x"), IMAGE_PART, text("The tool write can be called now.")],
			},
		]);
	});

	it("that a tool has brought may be files, of which the model is told", () => {
		const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "x" } };
		const turn = turnOf({ messages: [assistant(use("a")), user(result("a", [text("read"), pdf]), pdf)] });
		const told = text("[A file is left out here: only text and images can be shown.]");
		expect(turn.messages[1]?.content).toMatchObject([{ content: [text("read"), told] }]);
		expect(turn.messages[2]?.content).toEqual([told]);
		expect(turn.warnings).toHaveLength(2);
	});

	it.each([
		{ type: "server_tool_use", id: "s", name: "web_fetch", input: { url: "x" } },
		{ type: "code_execution_tool_result", content: { stdout: "" } },
		{ type: "mcp_tool_use", id: "m", name: "x", server_name: "y", input: {} },
		{ type: "container_upload", file_id: "f" },
		{ type: "hologram" },
	])("of the vendor's own are left aside with a warning: $type", (block) => {
		const turn = turnOf({ messages: [user(text("hi"), block), assistant(text("a"), block), HI] });
		expect(turn.messages.map(({ content }) => content)).toEqual([[text("hi")], [text("a")], [text("hi")]]);
		expect(turn.warnings).toHaveLength(2);
	});

	// The gateway gave them out itself; the reply that a search led to is the text behind it.
	it.each([
		{ type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } },
		{ type: "web_search_tool_result", tool_use_id: "s", content: [{ type: "web_search_result", url: "x" }] },
		{ type: "web_search_tool_result", tool_use_id: "s", content: { type: "web_search_tool_result_error" } },
	])("of a search are left aside in a reply, where they belong, and with a warning elsewhere: $type", (block) => {
		const turn = turnOf({ messages: [user(text("hi"), block), assistant(text("a"), block), HI] });
		expect(turn.messages.map(({ content }) => content)).toEqual([[text("hi")], [text("a")], [text("hi")]]);
		expect(turn.warnings).toEqual([expect.stringContaining("messages[0].content[1]")]);
	});
});

describe("system messages", () => {
	const system = (content: unknown, more: object = {}) => ({ role: "system", content, ...more });
	const reminder = (words: string) => text(`<system-reminder>\n${words}\n</system-reminder>`);
	const DONE = assistant(text("done"));

	it("that clear at the next message of the user are gone then, and others stay", () => {
		const messages = [HI, system("once", { clear_at: "next_user_message" }), system("always", { clear_at: "never" })];
		const before = turnOf({ messages });
		expect(before.messages).toEqual([{ role: "user", content: [text("hi"), reminder("once"), reminder("always")] }]);
		const after = turnOf({ messages: [...messages, DONE, HI] });
		expect(after.messages[0]).toEqual({ role: "user", content: [text("hi"), reminder("always")] });
		expect(after.warnings).toEqual([]);
	});

	it("set the effort of the turn that they stand in", () => {
		const low = system([], { output_config: { effort: "low" } });
		const high = { output_config: { effort: "high" } };
		expect(turnOf({ ...high, messages: [HI, low] }).thinking).toEqual({ effort: "low" });
		const inTheTurn = [HI, low, assistant(use("a")), user(result("a", "x"))];
		expect(turnOf({ ...high, messages: inTheTurn }).thinking).toEqual({ effort: "low" });
		expect(turnOf({ ...high, messages: [HI, low, DONE, HI] }).thinking).toEqual({ effort: "high" });
	});

	it.each([[[]], [""], [null], [undefined]])("may be empty: %j", (content) => {
		const turn = turnOf({ messages: [HI, system(content, { output_config: {} })] });
		expect(turn.messages).toEqual([{ role: "user", content: [text("hi")] }]);
		expect(turn.warnings).toEqual([]);
	});
});

describe("tools", () => {
	const READ = { name: "read", description: "d", input_schema: { type: "object" } };

	it("are the client's own, however they are marked", () => {
		const tools = [
			{ ...READ, type: "custom", cache_control: { type: "ephemeral" }, defer_loading: false },
			{ name: "_write", input_examples: [{}], eager_input_streaming: true },
		];
		const turn = turnOf({ tools });
		expect(turn.warnings).toEqual([]);
		expect(turn.tools).toEqual([
			{ name: "read", description: "d", inputSchema: { type: "object" }, kind: "function" },
			{ name: "_write", description: "", inputSchema: { type: "object", properties: {} }, kind: "function" },
		]);
	});

	describe("that are deferred", () => {
		const SEARCH = { name: "ToolSearch", input_schema: { type: "object" } };
		const LATER = { ...READ, defer_loading: true };
		const found = user(result("t", [{ type: "tool_reference", tool_name: "read" }]));
		const searched = [HI, assistant({ ...use("t"), name: "ToolSearch" }), found];
		const addition = (tool: object) => ({ role: "system", content: [{ type: "tool_addition", tool }] });
		const removal = {
			role: "system",
			content: [{ type: "tool_removal", tool: { type: "tool_reference", name: "read" } }],
		};
		const READS = { type: "tool_reference", name: "read" };
		const DEFINED = { type: "tool_definition", definition: { ...READ, name: "write" } };

		it.each<[string, object, string[]]>([
			["are not offered", { messages: [HI] }, ["ToolSearch"]],
			["are offered once a search has found them", { messages: searched }, ["ToolSearch", "read"]],
			[
				"are offered once they were called",
				{ messages: [HI, assistant(use("a")), user(result("a", "x"))] },
				["ToolSearch", "read"],
			],
			[
				"are offered when they are chosen",
				{ messages: [HI], tool_choice: { type: "tool", name: "read" } },
				["ToolSearch", "read"],
			],
			["are offered when they are added", { messages: [HI, addition(READS)] }, ["ToolSearch", "read"]],
			["are withdrawn", { messages: [...searched, removal] }, ["ToolSearch"]],
			["come back", { messages: [...searched, removal, addition(READS)] }, ["ToolSearch", "read"]],
			["may be defined on the way", { messages: [HI, addition(DEFINED)] }, ["ToolSearch", "write"]],
		])("%s", (_name, fields, offered) => {
			const turn = turnOf({ tools: [SEARCH, LATER], ...fields });
			expect(turn.tools.map(({ name }) => name)).toEqual(offered);
			expect(turn.tools.filter(({ isFoundLater }) => isFoundLater).map(({ name }) => name)).toEqual(offered.slice(1));
			expect(turn.warnings).toEqual([]);
		});

		it("are offered at once where nothing could find them", () => {
			const theirs = { type: "tool_search_tool_regex_20251119", name: "tool_search_tool_regex" };
			for (const tools of [[LATER], [SEARCH, theirs, LATER]]) {
				expect(turnOf({ tools }).tools.map(({ name }) => name)).toContain("read");
			}
		});
	});

	it.each(["code_execution_20250825", "bash_20250124", "tool_search_tool_regex", "mcp_toolset"])(
		"of the vendor's own are left aside with a warning: %s",
		(type) => {
			const turn = turnOf({ tools: [{ type, name: "theirs", max_uses: 5 }, READ] });
			expect(turn.tools.map(({ name }) => name)).toEqual(["read"]);
			expect(turn.warnings).toHaveLength(1);
			const forced = turnOf({ tools: [{ type, name: "theirs" }], tool_choice: { type: "tool", name: "theirs" } });
			expect(forced.toolChoice).toEqual({ kind: "auto" });
		},
	);

	it.each(["web_search_20250305", "web_search_20260209", "web_search_20260318"])(
		"of a search are a wish for Cursor's: %s",
		(type) => {
			const search = { type, name: "web_search", max_uses: 5 };
			const among = turnOf({ tools: [search, READ] });
			expect(among.tools.map(({ name }) => name)).toEqual(["read"]);
			expect(among.webSearch).toEqual({ isDemanded: false, maxUses: 5 });
			expect(turnOf({ tools: [search] }).webSearch).toEqual({ isDemanded: true, maxUses: 5 });
			const chosen = turnOf({ tools: [search, READ], tool_choice: { type: "tool", name: "web_search" } });
			expect([chosen.webSearch?.isDemanded, chosen.toolChoice]).toEqual([true, { kind: "auto" }]);
			expect([...among.warnings, ...chosen.warnings]).toEqual([]);
		},
	);

	it.each([
		[{ type: "auto" }, { kind: "auto" }, true],
		[{ type: "any" }, { kind: "required" }, true],
		[{ type: "none" }, { kind: "none" }, true],
		[{ type: "tool", name: "read" }, { kind: "tool", name: "read" }, true],
		[{ type: "auto", disable_parallel_tool_use: true }, { kind: "auto" }, false],
		[{ type: "any", disable_parallel_tool_use: false }, { kind: "required" }, true],
		[undefined, { kind: "auto" }, true],
	])("are chosen by %j", (tool_choice, toolChoice, parallelToolCalls) => {
		expect(turnOf({ tools: [READ], tool_choice })).toMatchObject({ toolChoice, parallelToolCalls, warnings: [] });
	});

	it("cannot be called where there is none, nor in a way that nobody knows", () => {
		expect(turnOf({ tool_choice: { type: "any" } })).toMatchObject({
			toolChoice: { kind: "auto" },
			warnings: ["tool_choice: there is no tool to call"],
		});
		expect(turnOf({ tools: [READ], tool_choice: { type: "perhaps" } })).toMatchObject({
			toolChoice: { kind: "auto" },
			warnings: ["tool_choice: this choice is not known; the model decides"],
		});
	});

	it("are warned of strict, of which there is none", () => {
		expect(turnOf({ tools: [{ ...READ, strict: true }] }).warnings).toHaveLength(1);
	});
});

describe("thinking", () => {
	it.each([
		[{ thinking: { type: "disabled" } }, { effort: "none" }],
		[{ thinking: { type: "disabled" }, output_config: { effort: "high" } }, { effort: "none" }],
		[{ thinking: { type: "adaptive" } }, {}],
		[
			{ thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "medium" } },
			{ effort: "medium" },
		],
		[{ output_config: { effort: "max" } }, { effort: "xhigh" }],
		[{ thinking: { type: "enabled" } }, {}],
		[{ thinking: { type: "enabled", budget_tokens: 1024 } }, { effort: "low" }],
		[{ thinking: { type: "enabled", budget_tokens: 4096 } }, { effort: "medium" }],
		[{ thinking: { type: "enabled", budget_tokens: 31_999 } }, { effort: "high" }],
		[{ thinking: { type: "enabled", budget_tokens: 31_999 }, output_config: { effort: "low" } }, { effort: "low" }],
	])("is wished for by %j", (fields, thinking) => {
		const turn = turnOf(fields);
		expect(turn.thinking).toEqual(thinking);
		expect(turn.warnings).toEqual([]);
	});

	it("of an effort that is not known is a warning", () => {
		expect(turnOf({ output_config: { effort: "heroic" } })).toMatchObject({
			thinking: {},
			warnings: [expect.anything()],
		});
	});
});

describe("the format of the answer", () => {
	const format = { type: "json_schema", schema: { type: "object" } };

	it.each([{ output_config: { format } }, { output_format: format }])("is a schema in %j", (fields) => {
		expect(turnOf(fields).output).toMatchObject({
			...{ kind: "json-schema", name: "response", schema: { type: "object" }, strict: true },
		});
	});

	it("of a type that is not known is text", () => {
		expect(turnOf({ output_config: { format: { type: "regex" } } })).toMatchObject({
			output: { kind: "text" },
			warnings: [expect.stringContaining("output_config.format")],
		});
	});
});
