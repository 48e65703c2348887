import { describe, expect, it } from "vitest";
import { readAnswer, readChunks } from "../../../test/kit/dialects/chat-chunks.ts";
import { TurnCollector } from "../../turn/collect.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { normalizeForComparison } from "../../turn/normalize.ts";
import { type ChatRequest, decodeChatRequest } from "./decode.ts";
import { type ChatReplyMessage, encodeChatCompletion } from "./encode.ts";
import { ChatStreamEncoder } from "./stream.ts";

// Two requests of each client, as far as its habits differ: the second one sends our own answer back with the results
// of its calls. Whatever the client makes of it, the conversation has to be recognised as the same.

interface Client {
	name: string;
	/** The first request, apart from the messages. */
	fields: object;
	messages: object[];
	/** Our answer and the results, as this client writes them. */
	sendBack(answer: ChatReplyMessage): object[];
	expected: Partial<Omit<ChatRequest, "turn">> & { turn?: object };
}

const TOOLS = ["read", "list"].map((name) => ({
	type: "function",
	function: { name, description: name, parameters: { type: "object", properties: { path: { type: "string" } } } },
}));
const part = (text: string) => ({ type: "text", text });
const result = (call: { id: string }, content: unknown) => ({ role: "tool", tool_call_id: call.id, content });
const resultsAsText = ({ tool_calls: calls = [] }: ChatReplyMessage) =>
	calls.map((call) => result(call, `result of ${call.function.name}`));
const plain = (answer: ChatReplyMessage) => [
	{ role: "assistant", content: answer.content, tool_calls: answer.tool_calls },
	...resultsAsText(answer),
];

const CLIENTS: Client[] = [
	{
		name: "opencode, Kilo",
		fields: {
			max_tokens: 32_000,
			stream: true,
			stream_options: { include_usage: true },
			tool_choice: "auto",
			tools: TOOLS,
		},
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look" },
		],
		sendBack: plain,
		expected: {
			stream: true,
			includeUsage: true,
			turn: { limits: { maxOutputTokens: 32_000 }, system: ["prompt"], warnings: [] },
		},
	},
	{
		name: "a title request beside it, without tools",
		fields: { stream: true, max_tokens: 100 },
		messages: [
			{ role: "system", content: "You name conversations." },
			{ role: "user", content: "look" },
		],
		sendBack: plain,
		expected: { stream: true, includeUsage: false, turn: { tools: [] } },
	},
	{
		name: "Continue",
		fields: { stream: true, stream_options: { include_usage: true }, tools: TOOLS },
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: [part("look")] },
		],
		sendBack: plain,
		expected: { stream: true, turn: { toolChoice: { kind: "auto" } } },
	},
	{
		name: "Qwen Code",
		fields: { stream: true, stream_options: { include_usage: true }, tools: TOOLS, temperature: 1 },
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: ["l", "o", "o", "k", ""].map(part) },
		],
		sendBack: (answer) => [
			{
				role: "assistant",
				content: answer.content,
				reasoning_content: answer.reasoning_content,
				tool_calls: answer.tool_calls,
			},
			...(answer.tool_calls ?? []).map((call) => result(call, [part("result of "), part(call.function.name)])),
		],
		expected: { turn: { warnings: [] } },
	},
	{
		name: "pi, oh-my-pi",
		fields: {
			stream: true,
			stream_options: { include_usage: true },
			store: false,
			max_completion_tokens: 16_384,
			reasoning_effort: "medium",
			tools: TOOLS,
		},
		messages: [
			{ role: "developer", content: "prompt" },
			{ role: "user", content: [part("look")] },
		],
		sendBack: plain,
		expected: { turn: { system: ["prompt"], thinking: { effort: "medium" }, limits: { maxOutputTokens: 16_384 } } },
	},
	{
		name: "Copilot",
		fields: {
			stream: true,
			temperature: 0,
			top_p: 0.95,
			frequency_penalty: 0,
			presence_penalty: 0,
			tools: TOOLS,
			n: 1,
		},
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look" },
		],
		sendBack: (answer) => [
			{ role: "assistant", content: answer.content, refusal: null, tool_calls: answer.tool_calls },
			...resultsAsText(answer),
		],
		expected: { turn: { warnings: ["temperature has no effect", "top_p has no effect"] } },
	},
	{
		name: "nanocoder",
		fields: { stream: true, tools: TOOLS, tool_choice: "auto" },
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look" },
		],
		sendBack: plain,
		expected: { stream: true, includeUsage: false },
	},
	{
		name: "grok-cli, which sends the whole message back as it came",
		fields: {
			tools: TOOLS,
			tool_choice: "auto",
			temperature: 0.7,
			max_tokens: 1536,
			search_parameters: { mode: "off" },
		},
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look" },
		],
		sendBack: (answer) => [answer, ...resultsAsText(answer)],
		expected: { stream: false, turn: { warnings: ["temperature has no effect"] } },
	},
	{
		name: "easy-llm-cli, which makes two messages of one turn",
		fields: { stream: true, tools: TOOLS },
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look" },
		],
		sendBack: (answer) => [
			{ role: "assistant", content: answer.content },
			{ role: "assistant", content: null, tool_calls: answer.tool_calls },
			...resultsAsText(answer),
		],
		expected: { stream: true },
	},
	{
		name: "Cline, with tools of the vendor among its own",
		fields: {
			stream: true,
			stream_options: { include_usage: true },
			tools: [...TOOLS, { type: "web_search" }, { type: "image_generation" }],
		},
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: [part("look")] },
		],
		sendBack: (answer) => [...plain(answer).slice(0, 1), ...resultsAsText(answer).reverse()],
		expected: { turn: { tools: [{ name: "read" }, { name: "list" }] } },
	},
	{
		name: "LangChain, LlamaIndex",
		fields: { tools: TOOLS, parallel_tool_calls: false, seed: 1, stop: ["\nObservation"] },
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look", name: undefined },
		],
		sendBack: (answer) => [
			{ role: "assistant", content: answer.content ?? "", name: "agent", tool_calls: answer.tool_calls },
			...resultsAsText(answer).map((message) => ({ ...message, name: "read" })),
		],
		expected: {
			turn: { parallelToolCalls: false, limits: { stop: ["\nObservation"] }, warnings: ["seed has no effect"] },
		},
	},
	{
		name: "@openai/agents, @openrouter/sdk",
		fields: {
			tools: TOOLS.map((tool) => ({ ...tool, function: { ...tool.function, strict: true } })),
			store: true,
			metadata: { run: "1" },
			user: "u",
			reasoning: { effort: "high" },
			response_format: { type: "json_schema", json_schema: { name: "out", strict: true, schema: { type: "object" } } },
		},
		messages: [
			{ role: "system", content: "prompt" },
			{ role: "user", content: [part("look")] },
		],
		sendBack: (answer) => [
			{
				role: "assistant",
				content: [part(answer.content ?? "")],
				reasoning: answer.reasoning,
				tool_calls: answer.tool_calls,
			},
			...resultsAsText(answer),
		],
		expected: {
			turn: {
				metadata: { run: "1", user: "u" },
				thinking: { effort: "high" },
				output: { kind: "json-schema", name: "out", strict: true },
			},
		},
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
	...callEvents("call_a", "read", '{"path":"a"}'),
	...callEvents("call_b", "list", "{}"),
	{ type: "turn-end", reason: "tool-calls" },
];

function collected() {
	const collector = new TurnCollector();
	for (const event of ANSWER) collector.add(event);
	return collector.turn;
}

/** Our answer as the client has it: from the stream where it asked for one, else from the whole reply. */
function answerFor({ stream, includeUsage, legacyFunctions }: ChatRequest): ChatReplyMessage {
	const options = { id: "chatcmpl-1", created: 1, legacyFunctions };
	if (!stream) return encodeChatCompletion([collected()], options).choices[0]?.message as ChatReplyMessage;
	const encoder = new ChatStreamEncoder({ ...options, includeUsage, choiceIndex: 0 });
	const { content, reasoning, tool_calls: calls } = readAnswer(readChunks(encoder.encode(ANSWER)).chunks);
	const toolCalls = calls.map(({ id, name, arguments: json }) => ({
		id,
		type: "function" as const,
		function: { name, arguments: json },
	}));
	return { role: "assistant", content, refusal: null, reasoning, reasoning_content: reasoning, tool_calls: toolCalls };
}

describe.each(CLIENTS)("$name", ({ fields, messages, sendBack, expected }) => {
	const first = decodeChatRequest({ model: "gpt-5", messages, ...fields });
	const second = decodeChatRequest({
		model: "gpt-5",
		messages: [...messages, ...sendBack(answerFor(first))],
		...fields,
	});

	it("is understood", () => {
		expect(first).toMatchObject(expected);
		expect(first.turn.messages).toEqual([{ role: "user", content: expect.anything() }]);
	});

	it("goes on with the same conversation, and its results find their calls", () => {
		const known = normalizeForComparison([...first.turn.messages, { role: "assistant", content: collected().content }]);
		const transcript = normalizeForComparison(second.turn.messages);
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
		const info = { role: "user", content: "<info-msg>It is 12:00</info-msg>" };
		const [assistant, ...results] = plain(
			encodeChatCompletion([collected()], { id: "c", created: 1, legacyFunctions: false }).choices[0]
				?.message as ChatReplyMessage,
		);
		const messages = [
			{ role: "system", content: "prompt" },
			{ role: "user", content: "look" },
			assistant,
			info,
			...results,
		];
		const { turn } = decodeChatRequest({ model: "gpt-5", stream: true, messages, tools: TOOLS });
		expect(turn.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
		expect(turn.messages[2]?.content).toMatchObject([{ callId: "call_a" }, { callId: "call_b" }]);
		expect(turn.warnings).toEqual([]);
	});
});
