// A client that keeps one current item (block, call) while it reads a stream: what it makes of two calls in one step.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { readSse } from "../kit/dialects/sse.ts";
import { startTestGateway } from "../kit/gateway.ts";

const CALLS = [
	{ name: "first", arguments: { which: "one", padding: "a".repeat(200) } },
	{ name: "second", arguments: { which: "two", padding: "b".repeat(200) } },
	{ name: "third", arguments: { which: "three", padding: "c".repeat(200) } },
];

const calling: Brain = async function* () {
	yield { thinking: "Three at once." };
	yield { text: "I call them." };
	yield { calls: CALLS };
};

interface Current {
	name: string;
	input: string;
}

/** Events of one stream, as the calls that such a client sees. */
type Reader = (events: AnyEvent[]) => Current[];

// biome-ignore lint/suspicious/noExplicitAny: events of three APIs, read as a careless client reads them
type AnyEvent = any;

const responses: Reader = (events: AnyEvent[]) => {
	const calls: Current[] = [];
	let open: string | undefined;
	for (const { type, item, delta } of events) {
		if (type === "response.output_item.added") {
			if (open) throw new Error(`${item.id} is added while ${open} is open`);
			open = item.id;
			if (item.type === "function_call") calls.push({ name: item.name, input: "" });
		} else if (type === "response.function_call_arguments.delta") {
			calls.at(-1)!.input += delta;
		} else if (type === "response.output_item.done") {
			if (open !== item.id) throw new Error(`${item.id} is done while ${open} is open`);
			open = undefined;
		}
	}
	return calls;
};

const messages: Reader = (events: AnyEvent[]) => {
	const calls: Current[] = [];
	for (const { type, content_block, delta } of events) {
		if (type === "content_block_start" && content_block.type === "tool_use") {
			calls.push({ name: content_block.name, input: "" });
		} else if (type === "content_block_delta" && delta.type === "input_json_delta") {
			calls.at(-1)!.input += delta.partial_json;
		}
	}
	return calls;
};

const chat: Reader = (events: AnyEvent[]) => {
	const calls: Current[] = [];
	for (const call of events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])) {
		if (call.id) calls.push({ name: call.function.name, input: "" });
		calls.at(-1)!.input += call.function.arguments;
	}
	return calls;
};

const PARAMETERS = { type: "object", properties: { which: { type: "string" }, padding: { type: "string" } } };
const names = CALLS.map(({ name }) => name);
const FORMS: [string, Reader, object][] = [
	[
		"/v1/responses",
		responses,
		{ input: "go", tools: names.map((name) => ({ type: "function", name, parameters: PARAMETERS })) },
	],
	[
		"/v1/messages",
		messages,
		{
			max_tokens: 1000,
			messages: [{ role: "user", content: "go" }],
			tools: names.map((name) => ({ name, input_schema: PARAMETERS })),
		},
	],
	[
		"/v1/chat/completions",
		chat,
		{
			messages: [{ role: "user", content: "go" }],
			tools: names.map((name) => ({ type: "function", function: { name, parameters: PARAMETERS } })),
		},
	],
];

describe.each(FORMS)("calls of one step at %s", (path, read, body) => {
	it("follow each other", async () => {
		const gateway = await startTestGateway({ emulator: { brain: calling } });
		const response = await gateway.post(path, { model: "composer-1", stream: true, ...body });
		const events = readSse(await response.text()).flatMap(({ data }) => (data === "[DONE]" ? [] : [JSON.parse(data)]));
		const calls = read(events);
		expect(calls.map(({ name, input }) => ({ name, arguments: JSON.parse(input) }))).toEqual(CALLS);
	});
});
