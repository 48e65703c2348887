import { describe, expect, it } from "vitest";
import type { RunLimits } from "../../src/upstream/run/run-limits.ts";
import { encodeEnvelope } from "../../src/wire/framing/envelope.ts";
import { until } from "../kit/cleanup.ts";
import { agentFrame, agentText, agentUpdate, END_STREAM, frameServer } from "../kit/network/frame-server.ts";
import { listen, startUpstream, tool, user } from "../kit/upstream.ts";

const KiB = 1024;
const TEXT = Buffer.alloc(32 * KiB, "x");

/** Frames without an end, each made of its number. */
function* endlessly(make: (index: number) => Uint8Array): Generator<Uint8Array> {
	for (let index = 0; ; index++) yield encodeEnvelope(0, make(index));
}

/** A run against a server that sends these frames. */
async function receive(frames: () => Iterable<Uint8Array>, limits: Partial<RunLimits>) {
	const server = await frameServer(frames);
	const upstream = await startUpstream({ limits });
	upstream.account.origin = () => server.origin;
	let over: string | undefined;
	const run = upstream.newRun(
		{ messages: [user("go")], tools: [tool("look")] },
		{},
		{
			over: (_run, how) => {
				over = how;
			},
		},
	);
	const response = await listen((listener) => run.open(listener));
	return { server, run, response, upstream, over: () => over };
}

const mcpCall = { tool: { case: "mcpToolCall", value: { args: { name: "look" } } } };
const exec = (id: number) =>
	agentFrame({
		case: "execServerMessage",
		value: { id, message: { case: "mcpArgs", value: { name: "look", toolName: "look", toolCallId: `c${id}` } } },
	} as Parameters<typeof agentFrame>[0]);

const FLOODS: [string, Partial<RunLimits>, string, (index: number) => Uint8Array][] = [
	["text", { answerBytes: 256 * KiB }, "maxAnswerMiB", () => agentText(TEXT)],
	["text, byte by byte", { answerBytes: 10_000 }, "maxAnswerMiB", () => agentText("x")],
	[
		"thinking",
		{ answerBytes: 256 * KiB },
		"maxAnswerMiB",
		() => agentUpdate({ case: "thinkingDelta", value: { text: TEXT } }),
	],
	[
		"the arguments of a call",
		{ argumentBytes: 256 * KiB },
		"maxArgumentsMiB",
		() =>
			agentUpdate({
				case: "partialToolCall",
				value: { callId: "a", toolCall: mcpCall, argsTextDelta: TEXT },
			}),
	],
	[
		"the arguments of many calls",
		{ argumentBytes: 256 * KiB, answerBytes: 512 * KiB },
		"maxAnswerMiB",
		(index) =>
			agentUpdate({
				case: "partialToolCall",
				value: { callId: `c${index}`, toolCall: mcpCall, argsTextDelta: TEXT },
			}),
	],
	[
		"parts of the conversation",
		{ blobBytes: 256 * KiB },
		"maxBlobMiB",
		(index) =>
			agentFrame({
				case: "kvServerMessage",
				value: {
					id: index,
					message: { case: "setBlobArgs", value: { blobId: Buffer.from(`${index}`), blobData: TEXT } },
				},
			} as Parameters<typeof agentFrame>[0]),
	],
	[
		"calls that are shown",
		{ callsPerStep: 100 },
		"maxCallsPerStep",
		(index) => agentUpdate({ case: "toolCallStarted", value: { callId: `c${index}`, toolCall: mcpCall } }),
	],
	["anything at all", { runBytes: 256 * KiB }, "maxRunMiB", () => agentUpdate({ case: "heartbeat", value: {} })],
];

describe("U23: a server that never stops", () => {
	it.each(FLOODS)("sending %s is told to, by an error that names the setting", async (_what, limits, setting, make) => {
		const { server, response } = await receive(() => endlessly(make), limits);
		expect(response.error).toMatchObject({ kind: "answer-too-large", status: 502 });
		expect(response.error!.fullMessage).toContain(setting);
		expect(response.turn.end).toBeUndefined();
		await until(() => server.open() === 0);
		expect(server.sent()).toBeLessThan(8 << 20);
	});

	it("making calls is told to: 10,000 calls of one step are too many", async () => {
		const { server, response } = await receive(function* () {
			yield encodeEnvelope(0, agentUpdate({ case: "toolRequestsListed", value: { callCount: 10_000 } }));
			for (let id = 1; id <= 10_000; id++) yield encodeEnvelope(0, exec(id));
		}, {});
		expect(response.error?.kind).toBe("answer-too-large");
		expect(response.error?.fullMessage).toContain("maxCallsPerStep");
		await until(() => server.open() === 0);
	});
});

it("the same part of a conversation may be stored as often as the server likes", async () => {
	const stored = agentFrame({
		case: "kvServerMessage",
		value: { id: 1, message: { case: "setBlobArgs", value: { blobId: Buffer.from("one"), blobData: TEXT } } },
	} as Parameters<typeof agentFrame>[0]);
	const { response } = await receive(
		function* () {
			for (let count = 0; count < 50; count++) yield encodeEnvelope(0, stored);
			yield encodeEnvelope(0, agentText("done"));
			yield encodeEnvelope(0, agentUpdate({ case: "turnEnded", value: {} }));
			yield END_STREAM;
		},
		{ blobBytes: 64 * KiB },
	);
	expect(response).toMatchObject({ text: "done", error: undefined });
});

it("an answer of 50 MB passes with the limits as they are", async () => {
	const piece = encodeEnvelope(0, agentText(Buffer.alloc(500_000, "y")));
	const { response } = await receive(function* () {
		for (let count = 0; count < 100; count++) yield piece;
		yield encodeEnvelope(0, agentUpdate({ case: "turnEnded", value: {} }));
		yield END_STREAM;
	}, {});
	expect(response.error).toBeUndefined();
	expect(response.text.length).toBe(50_000_000);
});

describe("a run that waits for tools", () => {
	const parks = [
		encodeEnvelope(0, agentUpdate({ case: "toolRequestsListed", value: { callCount: 1 } })),
		encodeEnvelope(0, exec(1)),
	];

	it.each([
		["text", () => agentText(TEXT)],
		["heartbeats", () => agentUpdate({ case: "heartbeat", value: {} })],
	] as [string, () => Uint8Array][])("is lost when the server pours %s into it", async (_what, make) => {
		const { server, response, over, run } = await receive(
			function* () {
				yield* parks;
				yield* endlessly(make);
			},
			{ parkedBytes: 256 * KiB },
		);
		expect(response.turn.end?.reason).toBe("tool-calls");
		await until(() => server.open() === 0);
		expect(over()).toBe("lost");
		expect(run.phase).toBe("over");
		expect(server.sent()).toBeLessThan(8 << 20);
	});

	it("keeps what came in the same read as its calls for the next response", async () => {
		const batch = Buffer.concat([...parks, encodeEnvelope(0, agentUpdate({ case: "heartbeat", value: {} }))]);
		const { response, run } = await receive(function* () {
			yield batch;
		}, {});
		expect(response.events.at(-1)).toMatchObject({ type: "turn-end", reason: "tool-calls" });
		expect(run.phase).toBe("waiting");
		run.cancel();
	});

	it("may get something each time it waits", async () => {
		const { upstream, run } = await receive(
			function* () {
				yield* parks;
				for (let count = 0; count < 4; count++) yield encodeEnvelope(0, agentText(TEXT));
			},
			{ parkedBytes: 256 * KiB },
		);
		expect(upstream.services.pulse.size).toBe(1);
		expect(run.phase).toBe("waiting");
		run.cancel();
	});
});
