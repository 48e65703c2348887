// C1: the client leaves, at every point of a request. The upstream learns of it, the ledger says so, nothing stays open.
import { afterAll, describe, expect, it } from "vitest";
import type { LedgerRow } from "../../src/store/ledger-row.ts";
import { until } from "../kit/cleanup.ts";
import { LOOK } from "../kit/hostile/brain.ts";
import { DIALECT_FORMS } from "../kit/hostile/dialect-forms.ts";
import type { RawClient } from "../kit/hostile/raw-client.ts";
import { CHAT, type Rig, say, useRig } from "../kit/hostile/rig.ts";

const WAYS: [string, (client: RawClient) => void][] = [
	["with a goodbye", (client) => client.close()],
	["without one", (client) => client.reset()],
	["by half", (client) => client.socket.end()],
];

/** What can be counted before and after. */
function countsOf({ emulator, turns }: Rig) {
	const { runs, streams } = emulator.stats();
	return {
		started: runs.started,
		ended: runs.ended,
		cancelled: runs.cancelled.length,
		open: streams.open,
		turns: turns.length,
	};
}

/** Waits until nothing is under way upstream, and gives the turns that were noted since. */
async function turnsSince(rig: Rig, before: { turns: number; open: number }): Promise<LedgerRow[]> {
	await until(() => rig.emulator.stats().streams.open === before.open && rig.turns.length > before.turns);
	return rig.turns.slice(before.turns);
}

const phases: [string, object, RegExp][] = [
	["before anything is said", say("hang"), /^$/],
	["in the middle of a text", say("speak-and-hang"), /first words/],
	["in the middle of a tool's arguments", say("arguments-and-hang", { tools: [LOOK] }), /some/],
];
const table = phases.flatMap(([phase, body, seen]) =>
	[true, false].flatMap((stream) =>
		WAYS.map(([way, leave]) => ({ phase, way, leave, seen, stream, body: { ...body, stream } })),
	),
);

describe.each([
	["HTTP/2", false],
	["HTTP/1.1", true],
])("C1: a client that leaves, with %s upstream", (_name, http1) => {
	const rig = useRig({ settings: { http1 } });
	afterAll(async () => {
		const rows = await rig.ledger((all) => all.length >= rig.turns.length);
		expect(rows.reverse()).toMatchObject(rig.turns.map(({ status, path, at }) => ({ status, path, at })));
	});

	it.each(table)("$phase, $way (stream: $stream)", async ({ body, seen, stream, leave }) => {
		const before = countsOf(rig);
		const client = await rig.open();
		client.send(rig.chat(body));
		await until(() => rig.emulator.stats().runs.started === before.started + 1);
		if (stream) await client.sees(seen);
		leave(client);
		await until(() => rig.emulator.stats().runs.cancelled.length === before.cancelled + 1);
		expect(await turnsSince(rig, before)).toMatchObject([{ status: 499, errorKind: "cancelled", path: "new" }]);
		expect(rig.emulator.stats().runs).toMatchObject({ started: before.started + 1, ended: before.ended });
		await client.end();
		client.close();
	});

	it.each(WAYS.slice(0, 2))("before the body has ended, %s, has asked for nothing", async (_way, leave) => {
		const before = countsOf(rig);
		const client = await rig.open();
		client.send(rig.head("POST", CHAT, "Content-Type: application/json", "Content-Length: 1000"));
		client.send(JSON.stringify(say("hello")));
		// It only makes it likely that a part of the body has been read; the test holds without it.
		await new Promise((resolve) => setTimeout(resolve, 20));
		leave(client);
		await rig.expectService();
		// The request that was answered is all there is.
		expect(await turnsSince(rig, before)).toMatchObject([{ status: 200 }]);
		expect(rig.emulator.stats().runs.started).toBe(before.started + 1);
	});

	it.each([true, false])("at the end of the turn has had its answer (stream: %s)", async (stream) => {
		const before = countsOf(rig);
		const client = await rig.open();
		client.send(rig.chat(say("hello", { stream })));
		// A whole answer has been had when its last byte has come.
		await (stream ? client.sees(/"finish_reason":"stop"/) : client.response());
		client.reset();
		expect(await turnsSince(rig, before)).toMatchObject([{ status: 200 }]);
		await until(() => rig.emulator.stats().runs.ended === before.ended + 1);
		expect(rig.emulator.stats().runs.started).toBe(before.started + 1);
		expect(rig.emulator.stats().runs.cancelled).toHaveLength(before.cancelled);
	});

	/** Asks, has a tool to call, and leaves. Gives the request with the tool's result. */
	async function callAndLeave(prompt: string, stream: boolean): Promise<object> {
		const request = say(prompt, { stream, tools: [LOOK] });
		const client = await rig.open();
		client.send(rig.chat(request));
		const { body } = await client.response();
		client.reset();
		const [id] = /call_[0-9a-f]{32}/.exec(body)!;
		const call = { id, type: "function", function: { name: "look", arguments: JSON.stringify({ at: prompt }) } };
		const messages = [
			...request.messages,
			{ role: "assistant", content: null, tool_calls: [call] },
			{ role: "tool", tool_call_id: id, content: "a tree" },
		];
		return { ...request, messages };
	}

	it.each([true, false])("while a tool runs may come back with its result (stream: %s)", async (stream) => {
		const before = countsOf(rig);
		const request = await callAndLeave("look there", stream);
		// A later request is answered after the gateway has seen that the client left.
		await rig.answerTo(rig.head("GET", "/healthz"));
		expect(rig.gateway.parkedRuns()).toBe(1);
		expect(rig.emulator.stats().streams.open).toBe(before.open + 1);

		const answer = await rig.ask({ ...request, stream: false });
		expect(answer.headers["x-cursorwire-path"]).toBe("parked");
		expect(JSON.parse(answer.body).choices[0].message.content).toBe("saw a tree");
		expect(await turnsSince(rig, before)).toMatchObject([
			{ status: 200, path: "new" },
			{ status: 200, path: "parked" },
		]);
		expect(rig.emulator.stats().runs).toMatchObject({ started: before.started + 1, ended: before.ended + 1 });
	});

	it.each([true, false])("after its result went to a run that waited ends that run (stream: %s)", async (stream) => {
		const before = countsOf(rig);
		const request = await callAndLeave("look-and-hang", stream);
		const client = await rig.open();
		const { resumedByToolResult } = rig.emulator.stats().runs;
		client.send(rig.chat(request));
		await until(() => rig.emulator.stats().runs.resumedByToolResult === resumedByToolResult + 1);
		if (stream) await client.sees(/first words/);
		client.reset();
		await until(() => rig.emulator.stats().runs.cancelled.length === before.cancelled + 1);
		await until(() => rig.turns.length === before.turns + 2);
		expect(await turnsSince(rig, before)).toMatchObject([
			{ status: 200, path: "new" },
			{ status: 499, path: "parked" },
		]);
		expect(rig.gateway.parkedRuns()).toBe(0);
	});

	it.each([true, false])(
		"while it waits for two answers leaves both, and is written down once (stream: %s)",
		async (stream) => {
			const before = countsOf(rig);
			const client = await rig.open();
			client.send(rig.chat(say("speak-and-hang", { stream, n: 2 })));
			await until(() => rig.emulator.stats().runs.started === before.started + 2);
			client.close();
			await until(() => rig.emulator.stats().runs.cancelled.length === before.cancelled + 2);
			expect(await turnsSince(rig, before)).toMatchObject([{ status: 499, errorKind: "cancelled" }]);
		},
	);

	// The last one: whether its request becomes a turn is open, and its row may come late.
	it("while its body is parsed has asked for nothing", async () => {
		const before = countsOf(rig);
		const client = await rig.open();
		client.send(rig.chat(say("hang", { extra: Array(20).fill("é".repeat(200_000)) })));
		// The last byte is in, and what is left to do takes many turns of the event loop.
		await until(() => client.socket.writableLength === 0);
		client.reset();
		await rig.expectService();
		await until(() => rig.emulator.stats().streams.open === before.open);
		const { started, cancelled } = rig.emulator.stats().runs;
		expect(started - cancelled.length).toBe(before.started - before.cancelled + 1);
	});
});

describe.each(DIALECT_FORMS)("C1: a client of $path that leaves", (form) => {
	const rig = useRig();
	const bodies: [string, boolean, object][] = [true, false].flatMap((stream) => [
		["before anything is said", stream, form.say("hang", { stream })],
		["in the middle of a text", stream, form.say("speak-and-hang", { stream })],
		[
			"in the middle of a tool's arguments",
			stream,
			form.say("arguments-and-hang", { stream, tools: [form.tool("look", { type: "object" })] }),
		],
	]) as [string, boolean, object][];

	it.each(bodies)("%s (stream: %s) cancels its run once", async (phase, stream, body) => {
		const before = countsOf(rig);
		const client = await rig.open();
		client.send(rig.post(form.path, body));
		await until(() => rig.emulator.stats().runs.started === before.started + 1);
		if (stream && phase !== "before anything is said")
			await client.sees(phase.includes("text") ? /first words/ : /some/);
		client.reset();
		await until(() => rig.emulator.stats().runs.cancelled.length === before.cancelled + 1);
		expect(await turnsSince(rig, before)).toMatchObject([{ status: 499, errorKind: "cancelled" }]);
		expect(rig.emulator.stats().runs).toMatchObject({ started: before.started + 1, ended: before.ended });
	});
});

describe("one of two answers", () => {
	let asked = 0;
	const rig = useRig({
		emulator: {
			async *brain(turn) {
				if (turn.prompt === "hello") yield { text: "you said hello" };
				else if (asked++ % 2 === 0) yield { hang: true };
				else yield { error: { code: "failed_precondition", message: "no" } };
			},
		},
	});

	it.each([true, false])("that fails takes the other one with it (stream: %s)", async (stream) => {
		const before = countsOf(rig);
		const { status } = await rig.ask(say("two", { stream, n: 2 }));
		expect(status).toBeGreaterThanOrEqual(400);
		await until(() => rig.emulator.stats().runs.cancelled.length === before.cancelled + 1);
		const rows = await turnsSince(rig, before);
		expect(rows).toHaveLength(1);
		expect(rows[0]!.status).toBe(status);
	});
});
