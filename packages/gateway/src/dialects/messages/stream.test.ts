import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnBatchesArbitrary, turnEventsArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import { type ReadBlock, readEvents, readMessage } from "../../../test/kit/dialects/messages-events.ts";
import { readSse, readSseByUnicodeLines } from "../../../test/kit/dialects/sse.ts";
import { violations } from "../../../test/kit/schemas/messages/published.ts";
import { type CollectedTurn, TurnCollector } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { encodeMessage } from "./encode.ts";
import { OWN_SIGNATURE } from "./signature.ts";
import { MessagesStreamEncoder, type MessagesStreamOptions } from "./stream.ts";

const OPTIONS: MessagesStreamOptions = { id: "msg_1", requestId: "req_1" };

const encoder = (options: Partial<MessagesStreamOptions> = {}) => new MessagesStreamEncoder({ ...OPTIONS, ...options });
const streamOf = (batches: readonly TurnEvent[][], options: Partial<MessagesStreamOptions> = {}) => {
	const stream = encoder(options);
	return batches.map((batch) => stream.encode(batch)).join("");
};

function collect(events: readonly TurnEvent[]): CollectedTurn {
	const collector = new TurnCollector();
	for (const event of events) collector.add(event);
	return collector.turn;
}

const START: TurnEvent = { type: "turn-start", runId: "r", model: "model", path: "new" };
const END: TurnEvent = { type: "turn-end", reason: "stop" };
const textEvents = (...deltas: string[]): TurnEvent[] => [
	{ type: "text-start" },
	...deltas.map((text): TurnEvent => ({ type: "text-delta", text })),
	{ type: "text-end" },
];
const thinkingEvents = (text: string, signature?: string): TurnEvent[] => [
	{ type: "thinking-start" },
	{ type: "thinking-delta", text },
	{ type: "thinking-end", ...(signature && { signature }) },
];
const callStart = (id: string): TurnEvent => ({ type: "tool-input-start", id, name: `tool_${id}` });
const callDelta = (id: string, text: string): TurnEvent => ({ type: "tool-input-delta", id, text });
const callEnd = (id: string): TurnEvent => ({ type: "tool-input-end", id });
const call = (id: string, json: string): TurnEvent => ({
	...{ type: "tool-call", id, name: `tool_${id}`, arguments: json },
});
const USAGE = { inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, cacheWriteTokens: 2, reasoningTokens: 3 };

/** What a turn has to say, as blocks. A call stands where its input began. */
function expectedBlocks(events: readonly TurnEvent[]): ReadBlock[] {
	const { content } = collect(events);
	const calls = content.filter((part) => part.type === "tool-call");
	const said = content.filter((part) => part.type !== "tool-call");
	const order = events.flatMap((event): ReadBlock[] => {
		if (event.type === "tool-input-start") {
			const part = calls.find(({ id }) => id === event.id);
			const json = wellFormed(part?.arguments ?? "missing");
			return [{ type: "tool_use", id: event.id, name: event.name, json, caller: { type: "direct" } }];
		}
		if (event.type !== "text-end" && event.type !== "thinking-end") return [];
		const part = said.shift();
		const text = wellFormed(part?.text ?? "missing");
		if (part?.type === "text") return text ? [{ type: "text", text, json: "" }] : [];
		const signature = part?.signature;
		if (!text && !signature) return [];
		return [{ type: "thinking", thinking: text, signature: wellFormed(signature ?? OWN_SIGNATURE), json: "" }];
	});
	return order;
}

describe("every legal turn", () => {
	it("adds up to what was said, in well nested blocks with one end, whatever the batches and the text", () => {
		fc.assert(
			fc.property(turnBatchesArbitrary, (batches) => {
				const events = batches.flat();
				const message = readMessage(readEvents(streamOf(batches)));
				const whole = encodeMessage(collect(events), OPTIONS);
				expect(message.isComplete).toBe(true);
				expect(message.blocks.map(({ input: _, ...block }: ReadBlock & { input?: object }) => block)).toEqual(
					expectedBlocks(events),
				);
				expect(message).toMatchObject({ stopReason: whole.stop_reason, stopSequence: null, usage: whole.usage });
			}),
			{ numRuns: 500 },
		);
	});

	it("is valid by the schemas, event by event, and as a whole reply", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				for (const event of readEvents(streamOf([events]))) expect(violations("event", event)).toEqual([]);
				expect(violations("message", encodeMessage(collect(events), OPTIONS))).toEqual([]);
			}),
			{ numRuns: 300 },
		);
	});

	it("has exactly one message_start, first, and one message_stop, last", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const types = readEvents(streamOf([events])).map(({ type }) => type);
				expect(types.filter((type) => type === "message_start")).toHaveLength(1);
				expect(types.filter((type) => type === "message_delta")).toHaveLength(1);
				expect(types.filter((type) => type === "message_stop")).toHaveLength(1);
				expect([types[0], types.at(-1)]).toEqual(["message_start", "message_stop"]);
			}),
		);
	});

	it("has the same blocks in the stream and in the whole reply, apart from the order of calls", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const { blocks } = readMessage(readEvents(streamOf([events])));
				const { content } = encodeMessage(collect(events), OPTIONS);
				const ids = (list: readonly object[]) => list.flatMap((block) => ("id" in block ? [block.id] : [])).sort();
				const said = (list: readonly { type: string; text?: string; thinking?: string }[]) =>
					list.filter(({ type }) => type !== "tool_use").map(({ type, text, thinking }) => [type, text ?? thinking]);
				expect(ids(blocks)).toEqual(ids(content));
				expect(said(blocks)).toEqual(said(content));
			}),
		);
	});

	it("has the same events for readers that know more kinds of lines", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const stream = streamOf([events]);
				expect(readSseByUnicodeLines(stream)).toEqual(readSse(stream));
			}),
		);
	});
});

describe("MessagesStreamEncoder", () => {
	it("writes what the API documents, byte for byte", () => {
		const events: TurnEvent[] = [
			START,
			{ type: "usage", usage: { ...USAGE, outputTokens: 1 } },
			...thinkingEvents("Hm."),
			...textEvents("Hel", "", "lo\n"),
			callStart("a"),
			callDelta("a", '{"p":1}'),
			callEnd("a"),
			call("a", '{"p":1}'),
			{ type: "usage", usage: USAGE },
			{ type: "turn-end", reason: "tool-calls" },
		];
		const counts = '"input_tokens":4,"cache_creation_input_tokens":2,"cache_read_input_tokens":4';
		expect(streamOf([events]).split("\n\n")).toEqual([
			`event: message_start\ndata: {"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","model":"model","content":[],"stop_reason":null,"stop_sequence":null,"usage":{${counts},"output_tokens":0,"output_tokens_details":{"thinking_tokens":0}}}}`,
			'event: ping\ndata: {"type":"ping"}',
			'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}',
			'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}',
			'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"Y3Vyc29yd2lyZQ=="}}',
			'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
			'event: content_block_start\ndata: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}',
			'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hel"}}',
			'event: content_block_delta\ndata: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"lo\\n"}}',
			'event: content_block_stop\ndata: {"type":"content_block_stop","index":1}',
			'event: content_block_start\ndata: {"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"tool_a","input":{},"caller":{"type":"direct"}}}',
			'event: content_block_delta\ndata: {"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\\"p\\":1}"}}',
			'event: content_block_stop\ndata: {"type":"content_block_stop","index":2}',
			`event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"tool_use","stop_sequence":null},"usage":{${counts},"output_tokens":5,"output_tokens_details":{"thinking_tokens":3}}}`,
			'event: message_stop\ndata: {"type":"message_stop"}',
			"",
		]);
	});

	it("says nothing before there is something to say", () => {
		const stream = encoder();
		const idle: TurnEvent[] = [START, { type: "activity" }, { type: "text-start" }, { type: "usage", usage: USAGE }];
		expect(stream.encode(idle)).toBe("");
		expect(stream.encode([])).toBe("");
		const types = readEvents(stream.encode([{ type: "text-delta", text: "a" }])).map(({ type }) => type);
		expect(types).toEqual(["message_start", "ping", "content_block_start", "content_block_delta"]);
	});

	it("tells a client that the upstream is alive, once the message has begun", () => {
		const stream = encoder();
		stream.encode([START, ...textEvents("a")]);
		expect(readEvents(stream.encode([{ type: "activity" }]))).toEqual([{ type: "ping" }]);
	});

	it("lets a call wait while another one is open, and writes the open one at once", () => {
		const stream = encoder();
		stream.encode([START, callStart("a")]);
		expect(stream.encode([callStart("b"), callDelta("b", "{"), callDelta("b", "}"), callStart("c")])).toBe("");
		expect(readEvents(stream.encode([callDelta("a", "1")]))).toMatchObject([
			{ index: 0, delta: { partial_json: "1" } },
		]);
		expect(stream.encode([callEnd("b"), call("b", "{}"), callDelta("c", "3")])).toBe("");
		expect(readEvents(stream.encode([callEnd("a")]))).toMatchObject([
			{ type: "content_block_stop", index: 0 },
			{ type: "content_block_start", index: 1, content_block: { id: "b" } },
			{ type: "content_block_delta", index: 1, delta: { partial_json: "{}" } },
			{ type: "content_block_stop", index: 1 },
			{ type: "content_block_start", index: 2, content_block: { id: "c" } },
			{ type: "content_block_delta", index: 2, delta: { partial_json: "3" } },
		]);
		expect(readEvents(stream.encode([callDelta("c", "4")]))).toMatchObject([
			{ index: 2, delta: { partial_json: "4" } },
		]);
		expect(readEvents(stream.encode([callEnd("c")]))).toEqual([{ type: "content_block_stop", index: 2 }]);
	});

	it("passes a signature of the upstream on, also for thinking that is not shown", () => {
		const events: TurnEvent[] = [
			START,
			...thinkingEvents("Hm.", "sig"),
			{ type: "thinking-start" },
			{ type: "thinking-end", signature: "hidden" },
			END,
		];
		expect(readMessage(readEvents(streamOf([events]))).blocks).toMatchObject([
			{ thinking: "Hm.", signature: "sig" },
			{ thinking: "", signature: "hidden" },
		]);
	});

	it("gives an answer without a word an end all the same", () => {
		const types = readEvents(streamOf([[START, END]])).map(({ type }) => type);
		expect(types).toEqual(["message_start", "ping", "message_delta", "message_stop"]);
	});

	it("names the stop sequence that ended the answer", () => {
		const end: TurnEvent = { type: "turn-end", reason: "stop", stopSequence: "\nEND\u2028" };
		expect(readMessage(readEvents(streamOf([[START, ...textEvents("a"), end]])))).toMatchObject({
			stopReason: "stop_sequence",
			stopSequence: "\nEND\u2028",
		});
	});

	it("ends a failed stream with the error and without message_stop", () => {
		const stream = encoder();
		const text = stream.encode([START, { type: "text-start" }, { type: "text-delta", text: "half" }]);
		const events = readEvents(text + stream.encodeError(new GatewayError("upstream-reset")));
		expect(events.at(-1)).toMatchObject({ type: "error", error: { type: "api_error" }, request_id: "req_1" });
		expect(violations("event", events.at(-1))).toEqual([]);
		expect(events.some(({ type }) => type === "message_stop" || type === "message_delta")).toBe(false);
	});

	it("keeps the frame of an error whole, whatever the upstream said", () => {
		const detail = 'event: message_stop\r\n\r\n\u2028\u0085"}\ud800';
		const frame = encoder().encodeError(new GatewayError("upstream-error", "It failed.", { detail }));
		for (const read of [readSse, readSseByUnicodeLines]) {
			const [event, ...others] = read(frame);
			expect(others).toEqual([]);
			expect(event?.event).toBe("error");
			expect(JSON.parse(event?.data ?? "").error.message).toBe(`It failed. ${wellFormed(detail)}. Try again.`);
		}
	});

	it("cannot be broken by ids, names and models", () => {
		const hostile = '"},\r\n\r\nevent: message_stop\u2028\ud800';
		const events: TurnEvent[] = [
			{ ...START, model: hostile },
			{ type: "tool-input-start", id: hostile, name: hostile },
			callEnd(hostile),
			{ type: "turn-end", reason: "tool-calls" },
		];
		const read = readEvents(streamOf([events], { id: hostile }));
		expect(read[0]?.message).toMatchObject({ id: wellFormed(hostile), model: wellFormed(hostile) });
		expect(readMessage(read).blocks).toMatchObject([{ id: wellFormed(hostile), name: wellFormed(hostile) }]);
	});
});
