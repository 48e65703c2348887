import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnBatchesArbitrary, turnEventsArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import { type Chunk, readAnswer, readChunks } from "../../../test/kit/dialects/chat-chunks.ts";
import { readSse, readSseByUnicodeLines } from "../../../test/kit/dialects/sse.ts";
import { violations } from "../../../test/kit/schemas/chat/published.ts";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { NO_TOKENS } from "../../turn/usage.ts";
import { OpenChoices } from "../shared/open-choices.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { type ChatCompletion, encodeChatCompletion } from "./encode.ts";
import { ChatStreamEncoder, type ChatStreamOptions } from "./stream.ts";

const OPTIONS: ChatStreamOptions = {
	...{ id: "chatcmpl-1", created: 1_700_000_000 },
	...{ includeUsage: false, legacyFunctions: false, choiceIndex: 0 },
};

const encoder = (options: Partial<ChatStreamOptions> = {}) => new ChatStreamEncoder({ ...OPTIONS, ...options });
const streamOf = (batches: readonly TurnEvent[][], options: Partial<ChatStreamOptions> = {}) => {
	const stream = encoder(options);
	return batches.map((batch) => stream.encode(batch)).join("");
};

function collect(events: readonly TurnEvent[]): CollectedTurn {
	const collector = new TurnCollector();
	for (const event of events) collector.add(event);
	return collector.turn;
}

const whole = (events: readonly TurnEvent[], legacyFunctions = false): ChatCompletion =>
	encodeChatCompletion([collect(events)], { ...OPTIONS, legacyFunctions });

const START: TurnEvent = { type: "turn-start", runId: "r", model: "model", path: "new" };
const textEvents = (...deltas: string[]): TurnEvent[] => [
	{ type: "text-start" },
	...deltas.map((text): TurnEvent => ({ type: "text-delta", text })),
	{ type: "text-end" },
];
const callEvents = (id: string, name: string, ...deltas: string[]): TurnEvent[] => [
	{ type: "tool-input-start", id, name },
	...deltas.map((text): TurnEvent => ({ type: "tool-input-delta", id, text })),
	{ type: "tool-input-end", id },
	{ type: "tool-call", id, name, arguments: deltas.join("") },
];
const USAGE = {
	...NO_TOKENS,
	inputTokens: 10,
	outputTokens: 5,
	cachedInputTokens: 4,
	cacheWriteTokens: 2,
	reasoningTokens: 3,
};

describe("every legal turn", () => {
	it("adds up to the whole reply, whatever the batches and the text", () => {
		fc.assert(
			fc.property(turnBatchesArbitrary, fc.boolean(), (batches, includeUsage) => {
				const { chunks, isDone } = readChunks(streamOf(batches, { includeUsage }));
				const answer = readAnswer(chunks);
				const events = batches.flat();
				const choice = whole(events).choices[0];
				expect(isDone).toBe(true);
				expect(answer.roles).toEqual(["assistant"]);
				expect(answer.finish_reasons).toEqual([choice?.finish_reason]);
				expect(answer.content).toBe(choice?.message.content ?? "");
				expect(answer.reasoning).toBe(choice?.message.reasoning ?? "");
				expect(answer.reasoning_content).toBe(answer.reasoning);
				expect(callsById(answer.tool_calls)).toEqual(
					callsById(
						(choice?.message.tool_calls ?? []).map((call) => ({ id: call.id, type: call.type, ...call.function })),
					),
				);
			}),
			{ numRuns: 500 },
		);
	});

	it("is valid by the published schema, chunk by chunk, and as a whole reply", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, fc.boolean(), fc.boolean(), (events, includeUsage, legacyFunctions) => {
				const { chunks } = readChunks(streamOf([events], { includeUsage, legacyFunctions }));
				for (const chunk of chunks) expect(violations("chat-completion-chunk", chunk)).toEqual([]);
				expect(violations("chat-completion", whole(events, legacyFunctions))).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it("has one id, time and model in all chunks, usage in the last one only, and no null where clients break on it", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, fc.boolean(), (events, includeUsage) => {
				const { chunks } = readChunks(streamOf([events], { includeUsage }));
				for (const { id, created, model } of chunks) {
					expect({ id, created, model }).toEqual({ id: "chatcmpl-1", created: 1_700_000_000, model: "model" });
				}
				expect(chunks.map((chunk) => "usage" in chunk)).toEqual(
					chunks.map((_, index) => includeUsage && index === chunks.length - 1),
				);
				expect(chunks.some((chunk) => "system_fingerprint" in chunk)).toBe(false);
			}),
		);
	});

	it("names index, id, type and function in the first delta of each call, and the index in all", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const { chunks } = readChunks(streamOf([events]));
				const seen = new Set<number>();
				for (const call of chunks.flatMap(({ choices }) => choices.flatMap(({ delta }) => delta.tool_calls ?? []))) {
					expect(call.index).toBeGreaterThanOrEqual(0);
					if (seen.has(call.index)) continue;
					expect(call).toMatchObject({ index: seen.size, type: "function", function: { arguments: "" } });
					expect(call.id && call.function?.name).toBeTruthy();
					seen.add(call.index);
				}
			}),
		);
	});

	it("has the same events for readers that know more kinds of lines", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const stream = streamOf([events], { includeUsage: true });
				expect(readSseByUnicodeLines(stream)).toEqual(readSse(stream));
			}),
		);
	});

	it("ends with tool_calls exactly when the turn did, with function_call for older clients", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, fc.boolean(), (events, legacyFunctions) => {
				const { finish_reasons } = readAnswer(readChunks(streamOf([events], { legacyFunctions })).chunks);
				const endedByCalls = collect(events).end?.reason === "tool-calls";
				expect(finish_reasons.includes("tool_calls")).toBe(endedByCalls && !legacyFunctions);
				expect(finish_reasons.includes("function_call")).toBe(endedByCalls && legacyFunctions);
			}),
		);
	});

	it("has at most the first call for older clients", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const answer = readAnswer(readChunks(streamOf([events], { legacyFunctions: true })).chunks);
				const first = events.find((event) => event.type === "tool-input-start");
				const call = collect(events).content.find((part) => part.type === "tool-call" && part.id === first?.id);
				expect(answer.tool_calls).toEqual([]);
				expect(answer.function_call).toEqual(
					call?.type === "tool-call" ? { name: call.name, arguments: wellFormed(call.arguments) } : undefined,
				);
			}),
		);
	});
});

const callsById = (calls: readonly { id: string }[]) => [...calls].sort((a, b) => (a.id < b.id ? -1 : 1));

describe("ChatStreamEncoder", () => {
	it("writes what the API documents, byte for byte", () => {
		const head = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1700000000,"model":"model","choices":[';
		const events = [
			START,
			...textEvents("Hel", "lo\n"),
			{ type: "usage", usage: USAGE },
			{ type: "turn-end", reason: "stop" },
		] as TurnEvent[];
		expect(streamOf([events], { includeUsage: true }).split("\n\n")).toEqual([
			`data: ${head}{"index":0,"delta":{"role":"assistant","content":"Hel"},"finish_reason":null}]}`,
			`data: ${head}{"index":0,"delta":{"content":"lo\\n"},"finish_reason":null}]}`,
			`data: ${head}{"index":0,"delta":{},"finish_reason":"stop"}]}`,
			`data: ${head}],"usage":{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":4,"cache_write_tokens":2},"completion_tokens_details":{"reasoning_tokens":3}}}`,
			"data: [DONE]",
			"",
		]);
	});

	it("says nothing before there is something to say", () => {
		const stream = encoder();
		expect(stream.encode([START, { type: "activity" }, { type: "text-start" }, { type: "usage", usage: USAGE }])).toBe(
			"",
		);
		expect(stream.encode([])).toBe("");
		expect(readChunks(stream.encode([{ type: "text-delta", text: "a" }])).chunks).toHaveLength(1);
	});

	it("lets calls follow each other that arrive side by side", () => {
		const [a, b] = [callEvents("a", "read", '{"p":', "1}"), callEvents("b", "write", "{}")];
		const events = [
			START,
			a[0],
			b[0],
			a[1],
			b[1],
			a[2],
			...a.slice(3),
			...b.slice(2),
			{ type: "turn-end", reason: "tool-calls" },
		];
		const { chunks } = readChunks(streamOf([events as TurnEvent[]]));
		const places = chunks.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? []).map(({ index }) => index);
		expect(places).toEqual([0, 0, 0, 1, 1]);
		expect(readAnswer(chunks)).toMatchObject({
			finish_reasons: ["tool_calls"],
			tool_calls: [
				{ id: "a", type: "function", name: "read", arguments: '{"p":1}' },
				{ id: "b", type: "function", name: "write", arguments: "{}" },
			],
		});
	});

	it("gives an answer without a word a role and an end all the same", () => {
		const { chunks } = readChunks(streamOf([[START, { type: "turn-end", reason: "filtered" }]]));
		expect(chunks.map(({ choices }) => choices)).toEqual([
			[{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: "content_filter" }],
		]);
	});

	it("ends a failed stream with the error and without [DONE]", () => {
		const stream = encoder();
		const text = stream.encode([START, { type: "text-start" }, { type: "text-delta", text: "half" }]);
		const { chunks, isDone } = readChunks(text + stream.encodeError(new GatewayError("upstream-reset")));
		expect(isDone).toBe(false);
		expect(chunks).toHaveLength(2);
		expect(violations("error", chunks[1])).toEqual([]);
		expect(chunks[1]?.error).toMatchObject({ type: "api_error", code: "upstream_reset" });
		expect(readAnswer(chunks.slice(0, 1)).finish_reasons).toEqual([]);
	});

	it("keeps the frame of an error whole, whatever the upstream said", () => {
		const detail = 'data: [DONE]\r\n\r\n\u2028\u0085"}\ud800';
		const frame = encoder().encodeError(new GatewayError("upstream-error", "It failed.", { detail }));
		for (const read of [readSse, readSseByUnicodeLines]) {
			const [event, ...others] = read(frame);
			expect(others).toEqual([]);
			expect(JSON.parse(event?.data ?? "").error.message).toBe(`It failed. ${wellFormed(detail)}. Try again.`);
		}
	});

	it("cannot be broken by ids and models", () => {
		const hostile = '"},\r\n\r\ndata: [DONE]\u2028\ud800';
		const events: TurnEvent[] = [
			{ ...START, model: hostile },
			...callEvents(hostile, hostile, "{}"),
			{ type: "turn-end", reason: "tool-calls" },
		];
		const { chunks, isDone } = readChunks(streamOf([events], { id: hostile }));
		expect(isDone).toBe(true);
		expect(chunks[0]).toMatchObject({ id: wellFormed(hostile), model: wellFormed(hostile) });
		expect(readAnswer(chunks).tool_calls[0]).toMatchObject({ id: wellFormed(hostile), name: wellFormed(hostile) });
	});
});

describe("several choices in one stream", () => {
	it("end one by one; the last one closes the stream with the counts of all", () => {
		const choices = new OpenChoices(2);
		const encoders = [0, 1].map((choiceIndex) => encoder({ choiceIndex, choices, includeUsage: true }));
		const end = (outputTokens: number): TurnEvent[] => [
			{ type: "usage", usage: { ...USAGE, outputTokens } },
			{ type: "turn-end", reason: "stop" },
		];
		const pieces = [
			encoders[0]?.encode([START, ...textEvents("one")]),
			encoders[1]?.encode([START, ...textEvents("two")]),
			encoders[1]?.encode(end(7)),
			encoders[0]?.encode(end(5)),
		];
		const { chunks, isDone } = readChunks(pieces.join(""));
		expect(isDone).toBe(true);
		expect([0, 1].map((index) => readAnswer(chunks, index))).toMatchObject([
			{ roles: ["assistant"], content: "one", finish_reasons: ["stop"] },
			{ roles: ["assistant"], content: "two", finish_reasons: ["stop"] },
		]);
		const last = chunks.at(-1) as Chunk;
		expect(last).toMatchObject({ choices: [], usage: { prompt_tokens: 10, completion_tokens: 12, total_tokens: 22 } });
		expect(chunks.filter((chunk) => "usage" in chunk)).toHaveLength(1);
	});
});
