// Many clients at the same moment, and gateways that are killed: the limit holds, in SQLite and in Redis.
import { once } from "node:events";
import { type Brain, startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";
import { startRedis } from "../store/redis-server.ts";
import { limitedKey, type StorePlace } from "./books.ts";

/** It takes its time, so that all clients are under way at the same moment. */
const brain: Brain = async function* () {
	await new Promise((resolve) => setTimeout(resolve, 200));
	yield { text: "done" };
};
const CLIENTS = 64;
const LIMIT = 10;

async function setUp(redisWanted: boolean): Promise<{ place: StorePlace; start(): Promise<Served>; runs(): number }> {
	const emulator = await startEmulator({ brain });
	onTestFinished(() => emulator.close());
	const redis = redisWanted ? await startRedis() : undefined;
	if (redis) onTestFinished(() => redis.stop());
	const dataDir = temporaryFolder();
	const place = { dataDir, ...(redis && { redis: redis.url }) };
	return {
		place,
		// Gateways of one Redis have folders of their own.
		start: () =>
			serve({
				upstream: emulator.url,
				dataDir: redis ? temporaryFolder() : dataDir,
				env: redis ? { CURSORWIRE_REDIS: redis.url } : {},
			}),
		runs: () => emulator.stats().runs.started,
	};
}

async function askAll(gateways: readonly Served[], key: string): Promise<number[]> {
	const body = { model: "composer-1", messages: [{ role: "user", content: "go" }] };
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	const asked = Array.from({ length: CLIENTS }, (_, index) =>
		gateways[index % gateways.length]!.ask(body, { headers }),
	);
	return (await Promise.all(asked)).map(({ status }) => status).sort();
}

const EXACTLY = [...Array(LIMIT).fill(200), ...Array(CLIENTS - LIMIT).fill(402)];

describe.each([
	["SQLite", false, 1],
	["Redis", true, 1],
	["Redis, two gateways", true, 2],
] as const)("%s", (_name, redisWanted, gateways) => {
	it(`${CLIENTS} clients at once: exactly ${LIMIT} pass`, async () => {
		const { place, start, runs } = await setUp(redisWanted);
		const { key } = await limitedKey(place, `${LIMIT} turns`);
		const started = await Promise.all(Array.from({ length: gateways }, start));
		expect(await askAll(started, key)).toEqual(EXACTLY);
		expect(runs()).toBe(LIMIT);
		expect(await askAll(started, key)).toEqual(Array(CLIENTS).fill(402));
	});
});

it.each([
	["SQLite", false],
	["Redis", true],
] as const)("%s: kill -9 between reserving and settling leaves no room for more", async (_name, redisWanted) => {
	const { place, start, runs } = await setUp(redisWanted);
	const { key } = await limitedKey(place, `${LIMIT} turns`);
	const gateway = await start();
	const all = askAll([gateway], key).catch(() => "killed");
	await until(() => runs() > 0);
	process.kill(gateway.pid, "SIGKILL");
	if (gateway.program.child.exitCode === null && gateway.program.child.signalCode === null) {
		await once(gateway.program.child, "exit");
	}
	await all;
	const after = await start();
	const passed = (await askAll([after], key)).filter((status) => status === 200).length;
	// What was under way when it was killed is spent; nobody can say that Cursor has not charged it.
	expect(passed).toBeLessThan(LIMIT);
	expect(runs()).toBeLessThanOrEqual(LIMIT);
	expect((await askAll([after], key)).filter((status) => status === 200)).toEqual([]);
});
