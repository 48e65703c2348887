// Redis goes away and comes back while the gateway uses it.
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { startRedis } from "./redis-server.ts";
import { blobsOf, bytes, checkpoint, keyRecord, ledgerRow, temporaryFolder, text } from "./stores.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

async function setUp(options: string[] = []) {
	const redis = await startRedis(options);
	onTestFinished(() => redis.stop());
	const open = async () => {
		const clock = new ManualClock();
		const warnings: string[] = [];
		const dataDir = join(temporaryFolder(), "data");
		const warn = (message: string) => void warnings.push(message);
		return { clock, warnings, store: closing(await openStore({ dataDir, redis: redis.url, clock, warn })) };
	};
	return { redis, open };
}

const namesOf = (rows: readonly { model: string }[]) => rows.map(({ model }) => model);

it.each([
	["with all it had", ["--appendonly", "yes", "--appendfsync", "always"]],
	["empty", []],
])("S8: memory stands in for it until it is back %s", async (_name, options) => {
	const { redis, open } = await setUp(options);
	const { store, clock, warnings } = await open();
	expect(store.status()).toEqual({ mode: "redis" });
	await store.addKey(keyRecord("a"));
	await store.addKey(keyRecord("b"));
	await store.putCheckpoint(...checkpoint("alice", "before", ["one"]));
	await store.appendLedger([ledgerRow({ at: 1, model: "before" })]);
	expect(await store.listKeys()).toHaveLength(2);

	await redis.kill();
	expect((await store.listKeys()).map(({ id }) => id)).toEqual(["a", "b"]);
	expect(store.status()).toMatchObject({ mode: "memory", degraded: expect.stringContaining("Redis") });
	expect(warnings).toEqual([expect.stringContaining("memory stands in")]);
	expect(await store.putCheckpoint(...checkpoint("alice", "during", ["two"]))).toBe(true);
	expect((await store.findCheckpoint("alice", "during"))?.blobs).toEqual(blobsOf(["two"]));
	await store.putResponse("alice", "r", bytes("response"), HOUR);
	expect(text(await store.getResponse("alice", "r"))).toBe("response");
	expect(await store.revokeKey("a", 5)).toBe(true);
	await store.addKey(keyRecord("c"));
	store.addToLedger(ledgerRow({ at: 2, model: "during" }));
	expect(namesOf(await store.lastRequests(5))).toEqual(["during"]);

	clock.advance(MINUTE);
	await until(() => warnings.length === 2);
	expect(warnings[1]).toContain("still unavailable");
	await redis.restart();
	clock.advance(MINUTE);
	await until(() => store.status().mode === "redis");

	const wasSaved = options.length > 0;
	expect((await store.listKeys()).map(({ id, revokedAt }) => [id, revokedAt])).toEqual([
		["a", 5],
		["b", undefined],
		["c", undefined],
	]);
	expect((await store.findCheckpoint("alice", "before")) !== undefined).toBe(wasSaved);
	expect(await store.findCheckpoint("alice", "during")).toBeDefined();
	expect(text(await store.getResponse("alice", "r"))).toBe("response");
	expect(namesOf(await store.lastRequests(5))).toEqual(wasSaved ? ["during", "before"] : ["during"]);
	// Another gateway sees the same.
	const other = await open();
	expect(await other.store.listKeys()).toEqual(await store.listKeys());
	expect(namesOf(await other.store.lastRequests(5))).toEqual(namesOf(await store.lastRequests(5)));
});

it("a restart between two uses costs nothing where the data is still there", async () => {
	const { redis, open } = await setUp(["--appendonly", "yes", "--appendfsync", "always"]);
	const { store, warnings } = await open();
	await store.addKey(keyRecord("a"));
	await redis.kill();
	await redis.restart();
	expect(await store.listKeys()).toEqual([keyRecord("a")]);
	expect(store.status()).toEqual({ mode: "redis" });
	expect(warnings).toEqual([]);
});

it("an empty one in the place of the former gets the keys back before anyone is turned away", async () => {
	const { redis, open } = await setUp();
	const { store, clock } = await open();
	await store.addKey(keyRecord("a"));
	await store.addKey(keyRecord("b"));
	await store.revokeKey("b", 7);
	await store.listKeys();
	await redis.kill();
	await redis.restart();
	const expected = [keyRecord("a"), keyRecord("b", { revokedAt: 7 })];
	expect(await store.listKeys()).toEqual(expected);
	expect(store.status().mode).toBe("memory");
	clock.advance(MINUTE);
	await until(() => store.status().mode === "redis");
	expect(await store.listKeys()).toEqual(expected);
	expect(await redis.cli("hlen", "cursorwire:keys")).toBe("2");
});

it("a gateway that starts without it goes on with it later", async () => {
	const { redis, open } = await setUp();
	await redis.kill();
	const { store, clock } = await open();
	expect(store.status().mode).toBe("memory");
	await store.addKey(keyRecord("a"));
	await redis.restart();
	clock.advance(MINUTE);
	await until(() => store.status().mode === "redis");
	expect(await redis.cli("hkeys", "cursorwire:keys")).toBe("a");
});

it("one that does not answer is given up, and nobody waits for it a second time", async () => {
	const { redis, open } = await setUp();
	const { store } = await open();
	await store.addKey(keyRecord("a"));
	redis.freeze();
	await store.putResponse("alice", "r", bytes("response"), HOUR);
	expect(store.status()).toEqual({ mode: "memory", degraded: "Redis cannot be reached: Command timed out" });
	expect(text(await store.getResponse("alice", "r"))).toBe("response");
	expect(await store.getResponse("alice", "unknown")).toBeUndefined();
	expect(await store.listKeys()).toEqual([keyRecord("a")]);
});
