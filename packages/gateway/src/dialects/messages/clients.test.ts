import { describe, expect, it } from "vitest";
import { readEvents, readMessage } from "../../../test/kit/dialects/messages-events.ts";
import { TurnCollector } from "../../turn/collect.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { normalizeForComparison } from "../../turn/normalize.ts";
import { decodeMessagesRequest, type MessagesRequest } from "./decode.ts";
import { encodeMessage, type ReplyBlock } from "./encode.ts";
import { MessagesStreamEncoder } from "./stream.ts";

// Two requests of each client, as far as its habits differ: the second one sends our own answer back with the results
// of its calls. Whatever the client makes of it, the conversation has to be recognised as the same.

interface Client {
	name: string;
	/** The first request, apart from the messages. */
	fields: object;
	/** What differs in the second one. */
	later?: object;
	messages: object[];
	/** The same messages as the second request has them, where they differ. */
	repeated?: object[];
	/** Our answer and the results, as this client writes them. */
	sendBack(answer: ReplyBlock[]): object[];
	expected: { stream?: boolean; turn?: object };
}

const CACHED = { cache_control: { type: "ephemeral" } };
const TOOLS = ["read", "list"].map((name) => ({
	...{ name, description: name },
	input_schema: { type: "object", properties: { path: { type: "string" } } },
}));
const text = (value: string) => ({ type: "text", text: value });
const resultsOf = (answer: ReplyBlock[]) =>
	answer.flatMap((block) =>
		block.type === "tool_use"
			? [{ type: "tool_result", tool_use_id: block.id, content: `result of ${block.name}` }]
			: [],
	);
const plain = (answer: ReplyBlock[]) => [
	{ role: "assistant", content: answer },
	{ role: "user", content: resultsOf(answer) },
];
const LOOK = [{ role: "user", content: "look" }];
const LOOK_CACHED = [{ role: "user", content: [{ ...text("look"), ...CACHED }] }];
const LOOK_BLOCKS = [{ role: "user", content: [text("look")] }];
const billing = (cch: string) => text(`x-anthropic-billing-header: cc_version=2.1.325; cc_entrypoint=cli; cch=${cch};`);

const CLIENTS: Client[] = [
	{
		name: "Claude Code",
		fields: {
			...{ stream: true, max_tokens: 32_000, thinking: { type: "adaptive" }, output_config: { effort: "medium" } },
			system: [billing("00000"), { ...text("You are an agent."), ...CACHED }, { ...text("prompt"), ...CACHED }],
			metadata: { user_id: '{"device_id":"d","account_uuid":"","session_id":"s"}' },
			context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
			tools: TOOLS.map((tool) => ({ ...tool, defer_loading: true })),
		},
		later: { system: [billing("12345"), text("You are an agent."), { ...text("prompt"), ...CACHED }] },
		messages: LOOK_CACHED,
		repeated: LOOK_BLOCKS,
		// Results come in the order in which they were ready.
		sendBack: (answer) => [
			{ role: "assistant", content: answer },
			{
				role: "user",
				content: resultsOf(answer)
					.reverse()
					.map((block) => ({ ...block, ...CACHED })),
			},
		],
		expected: {
			stream: true,
			turn: {
				...{ system: ["You are an agent.", "prompt"], thinking: { effort: "medium" } },
				limits: { maxOutputTokens: 32_000 },
				warnings: ["context_management has no effect"],
			},
		},
	},
	{
		name: "Claude Code with a model it does not know",
		fields: { stream: true, max_tokens: 32_000, thinking: { type: "enabled", budget_tokens: 31_999 }, tools: TOOLS },
		messages: [{ role: "system", content: "prompt" }, ...LOOK],
		sendBack: plain,
		expected: { turn: { system: ["prompt"], thinking: { effort: "high" } } },
	},
	{
		name: "opencode, Kilo",
		fields: {
			...{ stream: true, max_tokens: 32_000, tool_choice: { type: "auto" }, tools: TOOLS },
			system: [{ ...text("prompt"), ...CACHED }],
		},
		messages: LOOK_CACHED,
		repeated: LOOK_BLOCKS,
		sendBack: plain,
		expected: { stream: true, turn: { system: ["prompt"], warnings: [] } },
	},
	{
		name: "a title request beside it, without tools",
		fields: { stream: true, max_tokens: 100, system: "You name conversations." },
		messages: LOOK,
		sendBack: plain,
		expected: { turn: { tools: [] } },
	},
	{
		name: "Cline, with a tool of the vendor among its own",
		fields: {
			...{ stream: true, max_tokens: 8192, system: [{ ...text("prompt"), ...CACHED }] },
			tools: [...TOOLS, { type: "web_search_20250305", name: "web_search", max_uses: 5 }],
		},
		messages: LOOK_BLOCKS,
		sendBack: plain,
		expected: { turn: { tools: [{ name: "read" }, { name: "list" }] } },
	},
	{
		name: "Continue",
		fields: { stream: true, max_tokens: 4096, system: [{ ...text("prompt"), ...CACHED }], tools: TOOLS },
		messages: LOOK_CACHED,
		repeated: LOOK_BLOCKS,
		sendBack: (answer) => [
			...answer.filter(({ type }) => type !== "thinking").map((block) => ({ role: "assistant", content: [block] })),
			...resultsOf(answer).map((block) => ({ role: "user", content: [block] })),
		],
		expected: { stream: true },
	},
	{
		name: "Qwen Code",
		fields: {
			...{ stream: true, max_tokens: 32_000, temperature: 1, system: "prompt", tools: TOOLS },
			thinking: { type: "enabled", budget_tokens: 16_000 },
		},
		messages: [{ role: "user", content: ["l", "o", "o", "k"].map(text) }],
		sendBack: (answer) => [
			{ role: "assistant", content: answer },
			{
				role: "user",
				content: resultsOf(answer).map((block) => ({
					...block,
					content: [text("result of "), text(block.content.slice(10))],
				})),
			},
		],
		expected: { turn: { thinking: { effort: "medium" }, warnings: [] } },
	},
	{
		name: "pi",
		fields: { stream: true, max_tokens: 16_384, system: [{ ...text("prompt"), ...CACHED }], tools: TOOLS },
		messages: LOOK_CACHED,
		repeated: LOOK,
		sendBack: (answer) => [
			{ role: "assistant", content: answer },
			{ role: "user", content: resultsOf(answer).map((block) => ({ ...block, is_error: false })) },
		],
		expected: { turn: { warnings: [] } },
	},
	{
		name: "oh-my-pi, whose tools have a leading underscore",
		fields: {
			...{ stream: true, max_tokens: 16_384, system: [billing("1"), text("prompt")] },
			tools: [...TOOLS, { ...TOOLS[0], name: "_read" }],
		},
		later: { system: [billing("2"), text("prompt")] },
		messages: LOOK_BLOCKS,
		repeated: LOOK,
		sendBack: plain,
		expected: { turn: { system: ["prompt"], tools: [{}, {}, { name: "_read" }], warnings: [] } },
	},
	{
		name: "Copilot, nanocoder, LangChain, LlamaIndex, AI SDK",
		fields: { stream: true, max_tokens: 4096, temperature: 0, system: "prompt", tools: TOOLS },
		messages: LOOK_BLOCKS,
		sendBack: (answer) => plain(answer.filter(({ type }) => type !== "thinking")),
		expected: { turn: { warnings: ["temperature has no effect"] } },
	},
	{
		name: "@anthropic-ai/sdk, which sends the whole reply back as it came",
		fields: { max_tokens: 1024, tools: TOOLS, tool_choice: { type: "auto", disable_parallel_tool_use: true } },
		messages: LOOK,
		sendBack: plain,
		expected: { stream: false, turn: { parallelToolCalls: false } },
	},
];

const callEvents = (id: string, name: string, json: string): TurnEvent[] => [
	{ type: "tool-input-start", id, name },
	{ type: "tool-input-delta", id, text: json },
	{ type: "tool-input-end", id },
	{ type: "tool-call", id, name, arguments: json },
];
const ANSWER: TurnEvent[] = [
	{ type: "turn-start", runId: "r", model: "m", path: "new" },
	{ type: "thinking-start" },
	{ type: "thinking-delta", text: "Where?" },
	{ type: "thinking-end" },
	{ type: "text-start" },
	{ type: "text-delta", text: "I " },
	{ type: "text-delta", text: "look." },
	{ type: "text-end" },
	...callEvents("call_a", "read", '{ "path": "a" }'),
	...callEvents("call_b", "list", ""),
	{ type: "turn-end", reason: "tool-calls" },
];

function collected() {
	const collector = new TurnCollector();
	for (const event of ANSWER) collector.add(event);
	return collector.turn;
}

/** Our answer as the client has it: from the stream where it asked for one, else from the whole reply. */
function answerFor({ stream }: MessagesRequest): ReplyBlock[] {
	const options = { id: "msg_1" };
	if (!stream) return encodeMessage(collected(), options).content;
	const { blocks } = readMessage(readEvents(new MessagesStreamEncoder(options).encode(ANSWER)));
	return blocks.map(({ json, ...block }) =>
		block.type === "tool_use" ? { ...block, input: JSON.parse(json || "{}") } : block,
	) as ReplyBlock[];
}

describe.each(CLIENTS)("$name", ({ fields, later, messages, repeated, sendBack, expected }) => {
	const first = decodeMessagesRequest({ model: "claude", messages, ...fields });
	const second = decodeMessagesRequest({
		...{ model: "claude", ...fields, ...later },
		messages: [...(repeated ?? messages), ...sendBack(answerFor(first))],
	});

	it("is understood", () => {
		expect(first).toMatchObject(expected);
		expect(first.turn.messages).toEqual([{ role: "user", content: expect.anything() }]);
	});

	it("goes on with the same conversation, and its results find their calls", () => {
		const known = normalizeForComparison([...first.turn.messages, { role: "assistant", content: collected().content }]);
		const transcript = normalizeForComparison(second.turn.messages);
		expect(second.turn.system).toEqual(first.turn.system);
		expect(transcript.slice(0, -1)).toEqual(known);
		expect(second.turn.messages.at(-1)).toMatchObject({
			role: "tool",
			content: [
				{ callId: "call_a", isError: false },
				{ callId: "call_b", isError: false },
			],
		});
		expect(transcript.at(-1)).toBe('["tool",["result of read"],["result of list"]]');
		expect(second.turn.warnings).toEqual(first.turn.warnings);
	});
});

describe("Goose", () => {
	it("puts a message into the middle of the history, and its results find their calls all the same", () => {
		const info = { role: "user", content: [text("<info-msg>It is 12:00</info-msg>")] };
		const [assistant, results] = plain(encodeMessage(collected(), { id: "msg_1" }).content);
		const messages = [...LOOK, assistant, info, results];
		const { turn } = decodeMessagesRequest({ model: "claude-haiku-4-5", stream: true, messages, tools: TOOLS });
		expect(turn.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
		expect(turn.messages[2]?.content).toMatchObject([{ callId: "call_a" }, { callId: "call_b" }]);
		expect(turn.warnings).toEqual([]);
	});
});

describe("Claude Code after a search for tools", () => {
	it("sends references and more tools", () => {
		const found = [{ type: "tool_reference", tool_name: "list" }];
		const { turn } = decodeMessagesRequest({
			model: "claude",
			messages: [
				...LOOK,
				{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "ToolSearch", input: { query: "list" } }] },
				{ role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: found }, text("Tool loaded.")] },
			],
			tools: TOOLS,
		});
		expect(turn.messages.at(-2)?.content).toMatchObject([{ callId: "t", content: [{ type: "text" }] }]);
		expect(turn.warnings).toEqual([]);
	});
});
