import { describe, expect, it } from "vitest";
import { atOnce } from "../../time/slices.ts";
import { TurnCollector } from "../../turn/collect.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { normalizeForComparison } from "../../turn/normalize.ts";
import { decodeResponsesRequest, type ResponsesRequest } from "./decode.ts";
import { earlierIdsOf, resolverOf } from "./earlier.ts";
import { encodeResponse, type ResponseObject } from "./encode.ts";
import type { CustomToolCallItem, FunctionCallItem, OutputItem } from "./items.ts";
import { decodeStored, encodeStored, type StoredResponse, toStored } from "./stored-response.ts";

// Two requests of each client, as far as its habits differ: the second one sends our own answer back, or names it, with
// the results of its calls. Whatever the client makes of it, the conversation has to be recognised as the same.

interface Client {
	name: string;
	fields: object;
	input: string | object[];
	/** The second request, from the input of the first and our answer. */
	next(response: ResponseObject, input: object[]): object;
	expected: { turn?: object } & Partial<Omit<ResponsesRequest, "turn">>;
}

type CallItem = FunctionCallItem | CustomToolCallItem;
const isCall = (item: OutputItem): item is CallItem => item.type.endsWith("_call");
const results = ({ output }: ResponseObject) =>
	output.filter(isCall).map((call) => ({
		type: call.type === "function_call" ? "function_call_output" : "custom_tool_call_output",
		call_id: call.call_id,
		output: `result of ${call.name}`,
	}));
const user = (text: string) => ({ role: "user", content: [{ type: "input_text", text }] });
const whole: Client["next"] = (response, input) => ({ input: [...input, ...response.output, ...results(response)] });
const READ = {
	...{ type: "function", name: "read", description: "Reads.", strict: false },
	parameters: { type: "object", properties: { path: { type: "string" } } },
};

const CLIENTS: Client[] = [
	{
		name: "opencode, Kilo",
		fields: { stream: true, store: false, prompt_cache_key: "ses_1", max_output_tokens: 32_000, tools: [READ] },
		input: [{ role: "system", content: "prompt" }, user("look")],
		next: (response, input) => ({
			input: [...input, ...response.output.map(({ id: _, ...item }) => item), ...results(response)],
		}),
		expected: {
			store: false,
			turn: { system: ["prompt"], limits: { maxOutputTokens: 32_000 }, metadata: { prompt_cache_key: "ses_1" } },
		},
	},
	{
		name: "Codex",
		fields: {
			...{ stream: true, store: false, parallel_tool_calls: true, tool_choice: "auto", prompt_cache_key: "thread" },
			...{ include: ["reasoning.encrypted_content"], client_metadata: { session_id: "s" }, text: { verbosity: "low" } },
			reasoning: { effort: "medium", summary: "auto" },
			tools: [
				READ,
				{ type: "custom", name: "apply_patch", format: { type: "grammar", syntax: "lark", definition: "start: x" } },
				{ type: "namespace", name: "mcp__fs__", description: "Files.", tools: [READ] },
				{ type: "web_search", external_web_access: false },
				{ type: "tool_search", execution: "client", description: "d", parameters: { type: "object" } },
			],
		},
		input: [
			{ type: "message", id: "own_1", role: "developer", content: [{ type: "input_text", text: "prompt" }] },
			{ type: "message", ...user("<environment_context/>") },
			{ type: "message", ...user("look") },
		],
		next: (response, input) => ({
			input: [
				...input,
				...response.output.map((item) => ({ ...item, id: undefined, status: undefined, internal: { turn_id: "t" } })),
				...results(response),
			],
		}),
		expected: {
			encryptedReasoning: true,
			turn: { system: ["prompt"], thinking: { effort: "medium" }, parallelToolCalls: true },
		},
	},
	{
		name: "Codex with responses-lite",
		fields: { stream: true, store: false, parallel_tool_calls: false, include: ["reasoning.encrypted_content"] },
		input: [
			{
				type: "additional_tools",
				role: "developer",
				tools: [
					{
						...{ type: "namespace", name: "functions", description: "" },
						tools: [{ type: "custom", name: "exec", description: "JavaScript", format: { type: "text" } }, READ],
					},
				],
			},
			{ type: "message", role: "developer", content: [{ type: "input_text", text: "prompt" }] },
			{ type: "message", ...user("look") },
		],
		next: whole,
		expected: {
			turn: { system: ["prompt"], warnings: [], tools: [{ name: "exec", kind: "freeform" }, { name: "read" }] },
		},
	},
	{
		name: "Cline",
		fields: {
			...{ stream: true, instructions: "prompt", truncation: "auto", include: ["web_search_call.action.sources"] },
			tools: [READ, { type: "web_search" }, { type: "image_generation" }],
		},
		input: [user("look")],
		next: whole,
		expected: { store: true, turn: { system: ["prompt"], tools: [{ name: "read" }] } },
	},
	{
		name: "pi, oh-my-pi",
		fields: { stream: true, store: false, prompt_cache_key: "p", instructions: "prompt", tools: [READ] },
		input: [user("look")],
		next: (response, input) => ({
			input: [
				...input,
				...response.output.map((item) => (item.type === "message" ? { ...item, phase: "commentary" } : item)),
				...results(response),
			],
		}),
		expected: { turn: { system: ["prompt"], warnings: [] } },
	},
	{
		name: "Copilot, Agents SDK",
		fields: {
			...{ stream: true, instructions: "prompt", include: ["reasoning.encrypted_content"], prompt_cache_key: "c" },
			tools: [{ ...READ, strict: true }],
		},
		input: [user("look")],
		next: whole,
		expected: { encryptedReasoning: true, turn: { system: ["prompt"] } },
	},
	{
		name: "AI SDK with references",
		fields: { tools: [READ] },
		input: [user("look")],
		next: (response, input) => ({
			input: [...input, ...response.output.map(({ id }) => ({ type: "item_reference", id })), ...results(response)],
		}),
		expected: { store: true, turn: { warnings: [] } },
	},
	{
		name: "an SDK with previous_response_id",
		fields: { tools: [READ] },
		input: "look",
		next: (response) => ({ previous_response_id: response.id, input: results(response) }),
		expected: { store: true, turn: { warnings: [] } },
	},
];

/** Thinking, text, and a call of each tool that was offered. */
function answerTo({ turn }: ResponsesRequest): TurnEvent[] {
	return [
		{ type: "turn-start", runId: "r", model: "m", path: "new" },
		{ type: "thinking-start" },
		{ type: "thinking-delta", text: "Hm." },
		{ type: "thinking-end" },
		{ type: "text-start" },
		{ type: "text-delta", text: "I look." },
		{ type: "text-end" },
		...turn.tools.map(
			({ name, kind }, index): TurnEvent => ({
				...{ type: "tool-call", id: `call_${index}`, name },
				arguments: kind === "freeform" ? "*** Begin Patch" : '{"path":"x"}',
			}),
		),
		{ type: "turn-end", reason: "tool-calls" },
	];
}

describe.each(CLIENTS)("$name", ({ fields, input, next, expected }) => {
	const body = { model: "m", ...fields, input };
	const first = decodeResponsesRequest(body, () => undefined);
	const collector = new TurnCollector();
	for (const event of answerTo(first)) collector.add(event);
	const response = encodeResponse(collector.turn, { ...first, baseId: "b-1", created: 1, now: () => 2 });

	it("is understood", () => {
		expect(first).toMatchObject(expected);
	});

	it("is recognised when it goes on", () => {
		const second = JSON.parse(
			JSON.stringify({ ...body, ...next(response, typeof input === "string" ? [user(input)] : input) }),
		);
		const stored = new Map<string, StoredResponse>();
		if (first.store)
			stored.set(response.id, atOnce(decodeStored(atOnce(encodeStored(toStored(response, first.input))))));
		const loaded = earlierIdsOf(second).flatMap((id) => stored.get(id) ?? []);
		const { turn } = decodeResponsesRequest(second, resolverOf(loaded));
		const before = [...first.turn.messages, { role: "assistant" as const, content: collector.turn.content }];
		expect(normalizeForComparison(turn.messages).slice(0, -1)).toEqual(normalizeForComparison(before));
		expect(turn.messages.at(-1)).toMatchObject({
			role: "tool",
			content: first.turn.tools.map((_, index) => ({ callId: `call_${index}`, isError: false })),
		});
		expect(turn.messages.at(-2)?.content[0]).toEqual({ type: "thinking", text: "Hm." });
		expect(turn.warnings).toEqual(first.turn.warnings);
		expect(turn.tools).toEqual(first.turn.tools);
	});
});
