// The rows of the log through each API, and what keeps its followers apart from the gateway's work.
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { KeyRing } from "../../src/access/key-ring.ts";
import type { LogEntry } from "../../src/observe/log-entry.ts";
import { openStore } from "../../src/store/open-store.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { askIn } from "../kit/dialects/dialect-client.ts";
import { messagesClient } from "../kit/dialects/messages-client.ts";
import { responsesClient } from "../kit/dialects/responses-client.ts";
import { eventsOf } from "../kit/dialects/sse.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { obedient } from "../kit/hostile/brain.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { say } from "../kit/hostile/rig.ts";
import { result, tool, user } from "../kit/upstream.ts";

const LOG = "/v1/cursorwire/log";

async function entriesOf(gateway: TestGateway): Promise<LogEntry[]> {
	const { entries } = (await (await gateway.fetch(LOG)).json()) as { entries: LogEntry[] };
	return entries;
}

const start = () => startTestGateway({ emulator: { brain: obedient } });

const number = expect.any(Number);
const TIMES = {
	...{ firstTokenMs: number, sentMs: number },
	...{ admitUs: number, decodeUs: number, sendUs: number, firstChunkUs: number, gatewayUs: number },
};
const PROMPT = {
	...{ systemTokens: number, toolTokens: number, historyTokens: number },
	...{ resultTokens: number, imageTokens: number, messageTokens: number },
};
/** What only the turn that calls the tool has, and what only the one that brings its result. */
const STEPS = [
	{ path: "new", reason: "no history", tools: "look", firstCallMs: number },
	{ path: "parked", reason: "results of open calls", firstTextMs: number, waitedMs: number },
];

describe("the rows of a tool loop", () => {
	it.each([
		{ client: chatClient, dialect: "chat" },
		{ client: messagesClient, dialect: "messages" },
		{ client: responsesClient, dialect: "responses" },
	])("$dialect: new, then parked, each with its figures and its request's id", async ({ client, dialect }) => {
		const gateway = await start();
		const tools = [tool("look", { at: { type: "string" } })];
		const messages = [user("look here")];
		const first = await askIn(client, gateway, { tools, messages });
		const history = [
			...messages,
			{ role: "assistant" as const, content: first.turn.content },
			{ role: "tool" as const, content: [result(first.calls[0]!.id, "a house")] },
		];
		const second = await askIn(client, gateway, { tools, messages: history });
		expect(second.text).toBe("saw a house");
		const ids = [first, second].map(
			({ headers }) => headers!.get("x-request-id") ?? headers!.get("request-id") ?? "none",
		);
		expect(await entriesOf(gateway)).toEqual(
			[0, 1].map((index) => ({
				level: 30,
				time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
				at: number,
				caller: expect.stringMatching(/^key-/),
				client: "node",
				key: "default",
				requestId: ids[index],
				dialect,
				model: "composer-1",
				answered: "composer-1",
				...STEPS[index],
				conversation: expect.stringMatching(/^[\da-f-]{36}$/),
				runId: expect.stringMatching(/^[\da-f-]{36}$/),
				inputTokens: number,
				outputTokens: number,
				cachedTokens: number,
				reasoningTokens: number,
				latencyMs: number,
				...TIMES,
				...PROMPT,
				status: 200,
				msg: "turn",
			})),
		);
	});
});

describe("refusals", () => {
	it("are logged with what was refused and why, without what the client sent", async () => {
		const gateway = await start();
		const secret = "cw_canaryWrongKey0123456789";
		await gateway.fetch(`/v1/models/${secret}?q=${secret}`, { headers: { authorization: `Bearer ${secret}` } });
		await gateway.fetch("/v1/models", { headers: { origin: "http://evil.test" } });
		await gateway.fetch(`/${secret}`);
		await gateway.post("/v1/chat/completions", { model: secret, messages: secret });
		const entries = await entriesOf(gateway);
		expect(JSON.stringify(entries)).not.toContain("canary");
		expect(
			entries.map(({ level, status, method, route, errorKind, key }) => [level, status, method, route, errorKind, key]),
		)
			// One row for each of the four.
			.toEqual([
				[40, 401, "GET", "/v1/models/*", "bad-key", undefined],
				[40, 403, "GET", "/v1/models", "forbidden", undefined],
				[30, 404, "GET", "(unknown path)", "not-found", "default"],
				[30, 400, "POST", "/v1/chat/completions", "invalid-request", "default"],
			]);
	});

	it("of a client that storms are a few lines, and turns of others go on", async () => {
		const printed: unknown[] = [];
		const gateway = await startTestGateway({
			emulator: { brain: obedient },
			onLog: (entry) => printed.push(entry.msg),
		});
		const wrong = { headers: { authorization: "Bearer cw_wrong0123456789" } };
		for (let batch = 0; batch < 10; batch++) {
			await Promise.all(
				Array.from({ length: 20 }, async () => expect((await gateway.fetch("/v1/models", wrong)).status).toBe(401)),
			);
		}
		expect((await gateway.post("/v1/chat/completions", say("hello"))).status).toBe(200);
		expect((await entriesOf(gateway)).filter(({ errorKind }) => errorKind === "bad-key")).toHaveLength(5);
		await gateway.gateway.close();
		expect(printed.filter((msg) => msg === "refused")).toHaveLength(5);
		expect(printed.filter((msg) => msg === "refused again")).toHaveLength(1);
	});
});

describe("the stream of the log", () => {
	it("is for the owner's key only", async () => {
		const gateway = await start();
		const store = await openStore({ dataDir: gateway.dataDir, warn: () => {} });
		const { key } = await new KeyRing({ store, now: Date.now, random: randomBytes }).add("laptop");
		await store.close();
		const headers = { authorization: `Bearer ${key}` };
		// A key that another process added is found within a moment.
		while ((await gateway.fetch("/v1/models", { headers })).status !== 200);
		for (const path of [LOG, `${LOG}?follow=true`, "/v1/cursorwire/now"]) {
			const response = await gateway.fetch(path, { headers });
			expect(response.status).toBe(403);
			const { error } = (await response.json()) as { error: { message: string } };
			expect(error.message).toContain("Only the owner's key may see the log and what runs.");
			expect((await gateway.fetch(path, { headers: { origin: "http://evil.test" } })).status).toBe(403);
		}
	});

	it("gives two readers everything, first what is kept and then what is new, and says when the gateway ends", async () => {
		const gateway = await start();
		await (await gateway.post("/v1/chat/completions", say("one"))).text();
		const readers = await Promise.all(
			[1, 2].map(async () => eventsOf(await gateway.fetch(`${LOG}?follow=true`))[Symbol.asyncIterator]()),
		);
		const next = async (reader: (typeof readers)[0]) => (await reader.next()).value;
		for (const reader of readers) {
			expect(await next(reader)).toMatchObject({ id: "1", data: expect.stringContaining('"msg":"turn"') });
			expect(await next(reader)).toMatchObject({ event: "live" });
		}
		await (await gateway.post("/v1/chat/completions", say("two"))).text();
		for (const reader of readers) expect(await next(reader)).toMatchObject({ id: "2" });
		const closed = gateway.gateway.close();
		for (const reader of readers) {
			expect(await next(reader)).toMatchObject({ event: "end" });
			expect((await reader.next()).done).toBe(true);
		}
		await closed;
	});

	it("has room for sixteen readers, and again when one has left", async () => {
		const gateway = await start();
		const leave = new AbortController();
		const follow = (signal?: AbortSignal) => gateway.fetch(`${LOG}?follow=true`, signal ? { signal } : {});
		for (let reader = 0; reader < 15; reader++) expect((await follow()).status).toBe(200);
		expect((await follow(leave.signal)).status).toBe(200);
		expect((await follow()).status).toBe(503);
		leave.abort();
		let status = 503;
		while (status === 503) ({ status } = await follow());
		expect(status).toBe(200);
	});

	it("does not hold turns up where a reader has stopped reading", async () => {
		const gateway = await start();
		const { port } = new URL(gateway.url);
		const stalled = await RawClient.open(Number(port));
		const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${gateway.key}\r\n\r\n`;
		stalled.send(`GET ${LOG}?follow=true HTTP/1.1\r\n${head}`);
		await stalled.sees(/event: live/);
		stalled.socket.pause();
		const turns = Array.from({ length: 40 }, () => gateway.post("/v1/chat/completions", say("hello")));
		expect(new Set((await Promise.all(turns)).map(({ status }) => status))).toEqual(new Set([200]));
		while ((await entriesOf(gateway)).length < 40);
		stalled.close();
	});
});
