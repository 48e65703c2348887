import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnBatchesArbitrary, turnEventsArbitrary } from "../../../test/kit/arbitrary/turn-events.ts";
import { readEvents, readItems, textOfItem } from "../../../test/kit/dialects/responses-events.ts";
import { allOf, readSse, readSseByUnicodeLines } from "../../../test/kit/dialects/sse.ts";
import { violations } from "../../../test/kit/schemas/responses/published.ts";
import { SLICE_LENGTH } from "../../time/slices.ts";
import { TurnCollector } from "../../turn/collect.ts";
import { GatewayError } from "../../turn/error.ts";
import type { TurnEvent } from "../../turn/event.ts";
import { NO_TOKENS } from "../../turn/usage.ts";
import { wellFormed } from "../shared/well-formed.ts";
import { echoOf } from "./echo.ts";
import { encodeResponse, type ResponseObject } from "./encode.ts";
import { OPAQUE_REASONING } from "./items.ts";
import { ResponsesStreamEncoder, type ResponsesStreamOptions } from "./stream.ts";

const OPTIONS: ResponsesStreamOptions = {
	baseId: "base",
	created: 1_700_000_000,
	now: () => 1_700_000_009,
	echo: echoOf({ model: "model" }),
	callForms: new Map([
		["tool_1", { name: "tool_1", kind: "freeform" }],
		["tool_2", { name: "two", namespace: "space", kind: "function" }],
	]),
	encryptedReasoning: false,
};
const TERMINAL = ["response.completed", "response.incomplete", "response.failed", "error"];

const encoder = (options: Partial<ResponsesStreamOptions> = {}) =>
	new ResponsesStreamEncoder({ ...OPTIONS, ...options });
const streamOf = (batches: readonly TurnEvent[][], options: Partial<ResponsesStreamOptions> = {}) => {
	const stream = encoder(options);
	return batches.map((batch) => allOf(stream.encode(batch))).join("");
};

function whole(events: readonly TurnEvent[]): ResponseObject {
	const collector = new TurnCollector();
	for (const event of events) collector.add(event);
	return encodeResponse(collector.turn, OPTIONS);
}

const START: TurnEvent = { type: "turn-start", runId: "r", model: "model", path: "new" };
const textEvents = (...deltas: string[]): TurnEvent[] => [
	{ type: "text-start" },
	...deltas.map((text): TurnEvent => ({ type: "text-delta", text })),
	{ type: "text-end" },
];
const thinkingEvents = (text: string): TurnEvent[] => [
	{ type: "thinking-start" },
	{ type: "thinking-delta", text },
	{ type: "thinking-end" },
];
const callEvents = (id: string, name: string, ...deltas: string[]): TurnEvent[] => [
	{ type: "tool-input-start", id, name },
	...deltas.map((text): TurnEvent => ({ type: "tool-input-delta", id, text })),
	{ type: "tool-input-end", id },
	{ type: "tool-call", id, name, arguments: deltas.join("") },
];
const END: TurnEvent = { type: "turn-end", reason: "stop" };
const USAGE = { ...NO_TOKENS, inputTokens: 10, outputTokens: 5, cachedInputTokens: 4, reasoningTokens: 3 };

describe("every legal turn", () => {
	it("has numbers without gaps, begins as it should and ends once", () => {
		fc.assert(
			fc.property(turnBatchesArbitrary, (batches) => {
				const events = readEvents(streamOf(batches));
				expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
				expect(events.slice(0, 2).map(({ type }) => type)).toEqual(["response.created", "response.in_progress"]);
				const ends = events.filter(({ type }) => TERMINAL.includes(type));
				expect(ends).toEqual([events.at(-1)]);
			}),
			{ numRuns: 200 },
		);
	});

	it("finishes every item that it adds; deltas add up to it, and all are in the response at the end", () => {
		fc.assert(
			fc.property(turnBatchesArbitrary, (batches) => {
				const events = readEvents(streamOf(batches));
				const items = readItems(events);
				for (const { added, done, text } of items) {
					expect(done).toMatchObject({ id: added.id, type: added.type });
					expect(textOfItem(done)).toBe(text);
				}
				expect(events.at(-1)?.response?.output).toEqual(items.map(({ done }) => done));
				const dones = events.filter(({ type }) => /(text|arguments|input)\.done$/.test(type));
				expect(dones.map((event) => event.text ?? event.arguments ?? event.input)).toEqual(
					dones.map(({ output_index }) => items[output_index as number]?.text),
				);
				expect(dones).toHaveLength(items.length);
			}),
			{ numRuns: 200 },
		);
	});

	it("is the whole reply, apart from the order of calls side by side", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, (events) => {
				const last = readEvents(streamOf([events])).at(-1) as { response: ResponseObject };
				const { output, ...rest } = last.response;
				const { output: wholeOutput, ...wholeRest } = whole(events);
				expect(rest).toEqual(wholeRest);
				expect(comparable(output)).toEqual(comparable(wholeOutput));
			}),
			{ numRuns: 200 },
		);
	});

	it("is valid by the published schemas, event by event, and as a whole reply", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, fc.boolean(), (events, encryptedReasoning) => {
				for (const event of readEvents(streamOf([events], { encryptedReasoning }))) {
					expect(violations("stream-event", event)).toEqual([]);
				}
				expect(violations("response", whole(events))).toEqual([]);
			}),
			{ numRuns: 150 },
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

	it("fails once wherever it is cut, with what there was so far", () => {
		fc.assert(
			fc.property(turnEventsArbitrary, fc.nat(), (events, cut) => {
				const stream = encoder();
				const text = allOf(stream.encode(events.slice(0, cut % events.length)));
				const read = readEvents(text + allOf(stream.encodeError(new GatewayError("upstream-reset"))));
				const ends = read.filter(({ type }) => TERMINAL.includes(type));
				expect(ends.map(({ type }) => type)).toEqual(["error", "response.failed"]);
				expect(ends.flatMap((event) => violations("stream-event", event))).toEqual([]);
				expect(read.map((event) => event.sequence_number)).toEqual(read.map((_, index) => index));
				const last = read.at(-1);
				expect(last?.response?.error).toMatchObject({ code: "upstream_reset" });
				expect(last?.response?.output.map(textOfItem)).toEqual(readItems(read).map((item) => item.text));
			}),
			{ numRuns: 150 },
		);
	});
});

const comparable = (output: readonly object[]) =>
	output.map((item) => JSON.stringify({ ...item, id: "" })).sort((a, b) => (a < b ? -1 : 1));

describe("ResponsesStreamEncoder", () => {
	it("tells thinking, text and a call in the order that the API documents", () => {
		const events = [
			START,
			...thinkingEvents("Hm."),
			...textEvents("Hel", "lo"),
			...callEvents("call_a", "read", '{"p":', "1}"),
			{ type: "usage", usage: USAGE },
			{ type: "turn-end", reason: "tool-calls" },
		] as TurnEvent[];
		const read = readEvents(streamOf([events], { encryptedReasoning: true }));
		expect(read.map(({ type, output_index }) => [type.replace("response.", ""), output_index])).toEqual([
			["created", undefined],
			["in_progress", undefined],
			["output_item.added", 0],
			["reasoning_summary_part.added", 0],
			["reasoning_summary_text.delta", 0],
			["reasoning_summary_text.done", 0],
			["reasoning_summary_part.done", 0],
			["output_item.done", 0],
			["output_item.added", 1],
			["content_part.added", 1],
			["output_text.delta", 1],
			["output_text.delta", 1],
			["output_text.done", 1],
			["content_part.done", 1],
			["output_item.done", 1],
			["output_item.added", 2],
			["function_call_arguments.delta", 2],
			["function_call_arguments.delta", 2],
			["function_call_arguments.done", 2],
			["output_item.done", 2],
			["completed", undefined],
		]);
		expect(read.at(-1)?.response).toMatchObject({
			id: "resp_base",
			created_at: 1_700_000_000,
			completed_at: 1_700_000_009,
			status: "completed",
			model: "model",
			output: [
				{
					id: "rs_base_0",
					summary: [{ type: "summary_text", text: "Hm." }],
					encrypted_content: OPAQUE_REASONING,
				},
				{ id: "msg_base_1", status: "completed", content: [{ type: "output_text", text: "Hello" }] },
				{ id: "fc_base_2", status: "completed", call_id: "call_a", name: "read", arguments: '{"p":1}' },
			],
			usage: {
				input_tokens: 10,
				input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
				output_tokens: 5,
				output_tokens_details: { reasoning_tokens: 3 },
				total_tokens: 15,
			},
		});
	});

	it("writes a delta byte for byte", () => {
		const stream = encoder();
		stream.encode([START, { type: "text-start" }, { type: "text-delta", text: "a" }]);
		expect(stream.encode([{ type: "text-delta", text: "b\n\u2028" }])).toBe(
			'event: response.output_text.delta\ndata: {"type":"response.output_text.delta","sequence_number":5,' +
				'"item_id":"msg_base_0","output_index":0,"content_index":0,"logprobs":[],"delta":"b\\n\\u2028"}\n\n',
		);
	});

	it("says nothing before there is something to say", () => {
		const stream = encoder();
		const quiet: TurnEvent[] = [START, { type: "activity" }, { type: "text-start" }, { type: "usage", usage: USAGE }];
		expect(stream.encode([...quiet, { type: "text-delta", text: "" }])).toBe("");
		expect(readEvents(allOf(stream.encode([{ type: "text-delta", text: "a" }]))).map(({ type }) => type)).toEqual([
			"response.created",
			"response.in_progress",
			"response.output_item.added",
			"response.content_part.added",
			"response.output_text.delta",
		]);
	});

	it("lets calls follow each other that arrive side by side, each in the form in which it was offered", () => {
		const [a, b] = [callEvents("a", "tool_1", "*** Begin", " Patch"), callEvents("b", "tool_2", "{}")];
		const events = [START, a[0], b[0], a[1], b[1], ...b.slice(2), a[2], ...a.slice(3), END] as TurnEvent[];
		const read = readEvents(streamOf([events]));
		expect(read.at(-1)?.response?.output).toEqual([
			{
				...{ id: "ctc_base_0", type: "custom_tool_call", status: "completed", call_id: "a", name: "tool_1" },
				input: "*** Begin Patch",
			},
			{
				...{ id: "fc_base_1", type: "function_call", status: "completed", call_id: "b", name: "two" },
				...{ namespace: "space", arguments: "{}" },
			},
		]);
		expect(read.slice(2, -1).map(({ type, output_index }) => [type.replace("response.", ""), output_index])).toEqual([
			["output_item.added", 0],
			["custom_tool_call_input.delta", 0],
			["custom_tool_call_input.delta", 0],
			["custom_tool_call_input.done", 0],
			["output_item.done", 0],
			["output_item.added", 1],
			["function_call_arguments.delta", 1],
			["function_call_arguments.done", 1],
			["output_item.done", 1],
		]);
	});

	it.each([
		["length", "max_output_tokens"],
		["filtered", "content_filter"],
		["refusal", "content_filter"],
	] as const)("is incomplete when it ended by %s", (reason, told) => {
		const last = readEvents(streamOf([[START, ...textEvents("half"), { type: "turn-end", reason }]])).at(-1);
		expect(last).toMatchObject({
			type: "response.incomplete",
			response: { status: "incomplete", incomplete_details: { reason: told }, output: [{ type: "message" }] },
		});
	});

	it("shows the response when it is complete, and none that failed", () => {
		const seen: ResponseObject[] = [];
		const ended = (response: ResponseObject) => seen.push(response);
		const last = readEvents(streamOf([[START, ...textEvents("hi"), END]], { ended })).at(-1);
		expect(seen).toEqual([last?.response]);
		encoder({ ended }).encodeError(new GatewayError("upstream-reset"));
		expect(seen).toHaveLength(1);
	});

	it("keeps what was open when it failed as incomplete", () => {
		const stream = encoder();
		stream.encode([START, { type: "text-start" }, { type: "text-delta", text: "half" }]);
		const [error, failed, ...others] = readEvents(allOf(stream.encodeError(new GatewayError("context-too-long"))));
		expect(others).toEqual([]);
		const code = "context_length_exceeded";
		expect(error).toMatchObject({ type: "error", code, error: { code, type: "invalid_request_error" } });
		expect(failed).toMatchObject({
			type: "response.failed",
			response: {
				status: "failed",
				error: { code },
				output: [{ status: "incomplete", content: [{ text: "half" }] }],
			},
		});
	});

	it("writes a long text in pieces wherever the whole of it is repeated", () => {
		const line = "\u2028\ud83d\ude00 a line\n";
		const events = [START, ...textEvents(...Array(300).fill(line.repeat(200))), END];
		const stream = encoder();
		const text = stream.encode(events);
		expect(typeof text).toBe("object");
		const [before, ...pieces] = [...(text as Generator<string>)];
		// No character of JSON is longer than six, and none of the pieces holds more than its share.
		for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(6 * SLICE_LENGTH);
		const read = readEvents([before, ...pieces].join(""));
		expect(read.map((event) => event.sequence_number)).toEqual(read.map((_, index) => index));
		const said = line.repeat(200 * 300);
		expect(read.find(({ type }) => type === "response.output_text.done")?.text).toBe(said);
		expect(textOfItem(read.find(({ type }) => type === "response.output_item.done")?.item)).toBe(said);
		expect(read.at(-1)?.response).toEqual(whole(events));
	});

	it("can be gone on with before a long text is written", () => {
		const long = "x".repeat(2 * SLICE_LENGTH);
		const stream = encoder();
		const first = stream.encode([START, ...textEvents(long)]);
		const rest = stream.encode([...callEvents("b", "tool_2", "{}"), END]);
		const read = readEvents(allOf(first) + allOf(rest));
		expect(read.map((event) => event.sequence_number)).toEqual(read.map((_, index) => index));
		expect(readItems(read).map(({ text }) => text)).toEqual([long, "{}"]);
	});

	it("cannot be broken by ids, names and errors", () => {
		const hostile = '"},\r\n\r\ndata: [DONE]\u2028\ud800';
		const stream = encoder({ baseId: "b", echo: echoOf({ model: "m", instructions: hostile }) });
		const text = allOf(stream.encode([{ ...START, model: hostile }, ...callEvents(hostile, hostile, "{}")]));
		const failed = allOf(stream.encodeError(new GatewayError("upstream-error", "It failed.", { detail: hostile })));
		const events = readEvents(text + failed);
		expect(readSseByUnicodeLines(text + failed)).toHaveLength(events.length);
		expect(events.at(-1)?.response).toMatchObject({
			model: wellFormed(hostile),
			instructions: wellFormed(hostile),
			error: { message: `It failed. ${wellFormed(hostile)}. Try again.` },
			output: [{ call_id: wellFormed(hostile), name: wellFormed(hostile) }],
		});
	});
});
