// Connections that do nothing make room for those that want something.
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonBodyParser } from "../../src/dialects/json/json-body.ts";
import { dialectOf } from "../../src/routes/dialects.ts";
import { sendJson } from "../../src/server/send-json.ts";
import { GatewayServer } from "../../src/server/server.ts";
import { DEFAULT_SERVER_LIMITS } from "../../src/server/server-limits.ts";
import { until } from "../kit/cleanup.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { ManualClock } from "../kit/manual-clock.ts";

const LIMIT = 1_024;
const GET = "GET /now HTTP/1.1\r\nHost: x\r\n\r\n";
const HANG = "GET /hang HTTP/1.1\r\nHost: x\r\n\r\n";

/** A server with the product's own limits, or fewer connections. */
async function listen(connections = LIMIT) {
	const clock = new ManualClock();
	const hanging = new Set<() => void>();
	const server = new GatewayServer(
		{
			limits: { ...DEFAULT_SERVER_LIMITS, connections },
			clock,
			door: { isPublic: () => true, guard() {}, admit: () => ({ id: "someone" }) },
			formOf: dialectOf,
			parseBody: jsonBodyParser(),
			newId: () => "id",
			reportBug: (error) => expect.fail(String(error)),
		},
		[
			{ method: "GET", path: "/now", handler: ({ response }) => sendJson(response, 200, {}, {}) },
			{
				method: "GET",
				path: "/hang",
				handler: ({ response }) => void hanging.add(() => sendJson(response, 200, {}, {})),
			},
		],
	);
	onTestFinished(() => server.close());
	const port = await server.listen("127.0.0.1", 0);
	const open = async () => {
		const client = await RawClient.open(port);
		client.socket.on("error", () => {});
		onTestFinished(() => client.close());
		return client;
	};
	return { clock, hanging, open };
}

type Listening = Awaited<ReturnType<typeof listen>>;

async function openAll({ open }: Listening, count: number): Promise<RawClient[]> {
	const clients: RawClient[] = [];
	for (let at = 0; at < count; at++) clients.push(await open());
	return clients;
}

/** Connections on which a request was answered, one after the other. */
async function keepAlive(listening: Listening, count: number): Promise<RawClient[]> {
	const clients = await openAll(listening, count);
	for (const client of clients) {
		client.send(GET);
		expect((await client.response()).status).toBe(200);
	}
	return clients;
}

async function statusOf({ open }: Listening): Promise<number> {
	const client = await open();
	client.send(GET);
	return (await client.response()).status;
}

const ended = (clients: RawClient[]) => clients.map((client, at) => (client.ended ? at : -1)).filter((at) => at >= 0);

describe("where no connection is free", () => {
	it("1,024 that wait for their next request keep nobody out: the one that waits longest goes", async () => {
		const listening = await listen();
		const idle = await keepAlive(listening, LIMIT);
		for (let round = 1; round <= 5; round++) expect(await statusOf(listening)).toBe(200);
		await until(() => ended(idle).length === 5);
		expect(ended(idle)).toEqual([0, 1, 2, 3, 4]);
	});

	it("1,024 that never send a request keep nobody out after a second", async () => {
		const listening = await listen();
		const silent = await openAll(listening, LIMIT);
		silent[0]!.send("GET /now HTTP/1.1\r\nHost:");
		expect(await statusOf(listening)).toBe(503);
		listening.clock.advance(1_000);
		for (let round = 0; round < 5; round++) expect(await statusOf(listening)).toBe(200);
		await until(() => ended(silent).length === 5);
	});

	it("those with a request under way stay, and a further one is told that there is no room", async () => {
		const listening = await listen(20);
		const { hanging, open, clock } = listening;
		const busy = await openAll(listening, 20);
		for (const client of busy) client.send(HANG);
		await until(() => hanging.size === 20);
		clock.advance(10_000);
		const client = await open();
		client.send(GET);
		const { status, headers, body } = await client.response();
		expect(status).toBe(503);
		expect(Number(headers["retry-after"])).toBeGreaterThan(0);
		expect(JSON.parse(body).error.code).toBe("overloaded");
		clock.advance(1_000);
		await client.end();
		// The same without a request is hung up on, and too many of them at once.
		const silent = await openAll(listening, 11);
		await until(() => ended(silent).length === 1);
		clock.advance(1_000);
		await until(() => ended(silent).length === 11);

		for (const answer of hanging) answer();
		for (const each of busy) expect((await each.response()).status).toBe(200);
		expect(await statusOf(listening)).toBe(200);
	});
});
