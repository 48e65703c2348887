import type { Brain } from "cursorwire-emulator";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import type { TurnMessage } from "../../src/turn/request.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { result, tool, user } from "../kit/upstream.ts";

const TOOLS = [tool("look", { at: { type: "string" } }), tool("read", { filePath: { type: "string" } })];

/** Something of everything: thinking, text, calls together, a built-in request, and text that follows from their results. */
const brain: Brain = async function* (turn) {
	yield { thinking: "let me " };
	yield { thinking: "see" };
	for (const word of turn.prompt.split(" ")) yield { text: `${word} ` };
	const [a, b] = yield {
		calls: [
			{ name: "look", arguments: { at: "ä" } },
			{ name: "look", arguments: { at: "b" } },
		],
	};
	yield { text: `(${a.text},${b.text}) ` };
	const read = yield { exec: { kind: "read", args: { path: "c.txt" } } };
	for (const word of ["and", "so", read.value.contents]) yield { text: `${word} ` };
};

/** A whole conversation: what was said in each response, what was called, and the answer. */
async function converse(gateway: TestGateway) {
	const messages: TurnMessage[] = [user("one two three")];
	const seen: unknown[] = [];
	for (;;) {
		const { text, thinking, calls, error, turn } = await askIn(chatClient, gateway, { messages, tools: TOOLS });
		seen.push({ text, thinking, calls: calls.map(({ name, arguments: args }) => [name, args]), error: error?.kind });
		if (calls.length === 0) return seen;
		const answers = calls.map((call) => result(call.id, `result of ${call.arguments}`));
		messages.push({ role: "assistant", content: turn.content }, { role: "tool", content: answers });
	}
}

const WHOLE = [
	{
		text: "one two three ",
		thinking: "let me see",
		calls: [
			["look", '{"at":"ä"}'],
			["look", '{"at":"b"}'],
		],
		error: undefined,
	},
	{
		text: '(result of {"at":"ä"},result of {"at":"b"}) ',
		thinking: "",
		calls: [["read", '{"filePath":"c.txt"}']],
		error: undefined,
	},
	{ text: 'and so result of {"filePath":"c.txt"} ', thinking: "", calls: [], error: undefined },
];

/** Every frame of the stream, those of the protocol itself included, and some more. */
const FRAMES = 44;
const cut = fc.record({
	how: fc.constantFrom("cut", "reset", "no-end-stream", "truncate"),
	frame: fc.integer({ min: 1, max: FRAMES }),
});

const ANY_NUMBER = { reserve: 1_000, perSuccess: 1, most: 1_000 };

describe.each([
	["one stream", "StreamUnifiedChatWithToolsIdempotent", false],
	["appends", "StreamUnifiedChatWithToolsIdempotentSSE", true],
] as const)("an idempotent stream on %s", (_name, rpc, http1) => {
	let start: () => Promise<TestGateway>;
	beforeAll(() => {
		start = () =>
			startTestGateway({
				emulator: { brain, switches: ["chat-arguments=streamed"] },
				settings: { protocol: "unified", unifiedStream: "idempotent", http1 },
				// A stream that is waited for in vain must fail the test with the cuts that led to it.
				limits: { backoffMs: 1, transportRetries: 20, silenceMs: 5_000, heartbeatsOnlyMs: 5_000 },
				// As often as it takes: what is looked at here is what a client gets, not what it may cost.
				health: { strikes: 100, window: 1_000, isolatedStrikes: 100, retries: ANY_NUMBER },
			});
	});

	it("that is not cut says what it has to say", async () => {
		expect(await converse(await start())).toEqual(WHOLE);
	});

	it("continues without loss or repetition, cut at any frame", async () => {
		const gateway = await start();
		for (let frame = 1; frame <= FRAMES; frame++) {
			gateway.emulator.clearFaults();
			gateway.emulator.addFault(`cut@frame:${frame}*1/${rpc}`);
			expect(await converse(gateway), `cut at frame ${frame}`).toEqual(WHOLE);
		}
		const { runs, rpcs } = gateway.emulator.stats();
		// The cuts were real, and none but that of the very first frame, which says that the stream is kept, cost a run.
		expect(rpcs[`/aiserver.v1.ChatService/${rpc}`]).toBeGreaterThan(FRAMES * 1.5);
		expect(runs.started).toBeLessThanOrEqual(FRAMES + 1);
	});

	it("continues without loss or repetition, cut anywhere, in any way, again and again", async () => {
		const gateway = await start();
		await fc.assert(
			fc.asyncProperty(fc.array(cut, { minLength: 1, maxLength: 6 }), async (cuts) => {
				gateway.emulator.clearFaults();
				for (const { how, frame } of cuts) gateway.emulator.addFault(`${how}@frame:${frame}*1/${rpc}`);
				expect(await converse(gateway)).toEqual(WHOLE);
			}),
			{ numRuns: 60 },
		);
	});

	it("continues with another token where the first has expired in the meantime", async () => {
		const gateway = await start();
		gateway.emulator.addFault(`cut@frame:24*1/${rpc}`);
		const messages: TurnMessage[] = [user("one two three")];
		const { calls, turn } = await askIn(chatClient, gateway, { messages, tools: TOOLS });
		gateway.emulator.expireTokens();
		const answers = calls.map((call) => result(call.id, "r"));
		messages.push({ role: "assistant", content: turn.content }, { role: "tool", content: answers });
		const second = await askIn(chatClient, gateway, { messages, tools: TOOLS });
		expect(second).toMatchObject({ text: "(r,r) ", error: undefined });
		const { runs, auth } = gateway.emulator.stats();
		expect(runs.started).toBe(1);
		expect(auth.exchanges).toBeGreaterThan(1);
	});

	it("continues, cut at any byte of what a connection brings", async () => {
		const gateway = await start();
		await fc.assert(
			fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 4 }), async (bytes) => {
				gateway.emulator.clearFaults();
				for (const byte of bytes) gateway.emulator.addFault(`cut@byte:${byte}*1/${rpc}`);
				expect(await converse(gateway)).toEqual(WHOLE);
			}),
			{ numRuns: 30 },
		);
	});
});
