// What only a Redis has to be asked: what lies in it, who else uses it, and how it refuses.
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { StoreUnavailableError, StoreVersionError } from "../../src/store/errors.ts";
import { sizeOfBytes, sizeOfState } from "../../src/store/limits.ts";
import { openStore } from "../../src/store/open-store.ts";
import { RedisStore } from "../../src/store/redis/redis-store.ts";
import { closing } from "../kit/cleanup.ts";
import { TestAuthority } from "../kit/network/tls.ts";
import { startRedis, type TestRedis } from "./redis-server.ts";
import { blobsOf, bytes, checkpoint, keyRecord, ledgerRow, limits, Time, temporaryFolder, text } from "./stores.ts";

const HOUR = 3_600_000;
const PASSWORD = "correct-horse-battery";

let redis: TestRedis;
beforeAll(async () => {
	redis = await startRedis([], PASSWORD);
});
afterAll(() => redis.stop());
beforeEach(() => redis.cli("flushall"));

async function open(time = new Time(), changes: Parameters<typeof limits>[0] = {}) {
	return closing(await RedisStore.open({ url: redis.url, now: time.now, warn: expect.fail, limits: limits(changes) }));
}

const allKeys = async () => (await redis.cli("keys", "*")).split("\n").sort();

async function fill(store: RedisStore): Promise<void> {
	await store.putCheckpoint(...checkpoint("alice", "k", ["one", "two"]));
	await store.putResponse("alice", "a", bytes("answer"), HOUR);
	await store.putResponse("bob", "r", bytes("response"), 2 * HOUR);
	await store.appendLedger([ledgerRow()]);
}

describe("what lies in Redis", () => {
	it("has a time to live, but for the keys, and stands below one prefix", async () => {
		const store = await open();
		await fill(store);
		await store.addKey(keyRecord("a", { lastUsedAt: 1, revokedAt: 2 }));
		const keys = await allKeys();
		expect(keys.length).toBeGreaterThan(15);
		const lasting = [];
		for (const key of keys) {
			expect(key).toMatch(/^cursorwire:/);
			if ((await redis.cli("pttl", key)) === "-1") lasting.push(key.slice("cursorwire:".length));
		}
		expect(lasting).toEqual(["keys", "keys:hashes", "keys:revoked", "keys:used", "store"]);
	});

	it("is nothing any more when all has expired, and no byte is counted for it", async () => {
		const time = new Time();
		const store = await open(time);
		await fill(store);
		await store.putCheckpoint(...checkpoint("alice", "k", ["two", "three"]));
		time.pass(400 * 24 * HOUR);
		await store.cleanUp();
		expect((await allKeys()).filter((key) => !key.endsWith(":number"))).toEqual(["cursorwire:store"]);
	});

	it("may be removed by Redis itself: what is put later has all the room", async () => {
		const store = await open(new Time(), { checkpoints: { perCaller: 5000, total: 5000 } });
		const large = "x".repeat(3000);
		await store.putCheckpoint(...checkpoint("alice", "old", [large]));
		for (const key of ["states", "blobs", "uses", "order"])
			await redis.cli("del", `cursorwire:checkpoints:${key}:alice`);
		expect(await store.findCheckpoint("alice", "old")).toBeUndefined();
		expect(await store.putCheckpoint(...checkpoint("alice", "new", [large.toUpperCase()]))).toBe(true);
		expect((await store.findCheckpoint("alice", "new"))?.blobs).toEqual(blobsOf([large.toUpperCase()]));
		const size = sizeOfState(bytes("state of new"), 1) + sizeOfBytes(bytes(large));
		expect(await redis.cli("hgetall", "cursorwire:checkpoints:bytes")).toBe(`alice\n${size}`);
	});

	it("leaves what others keep there alone", async () => {
		await redis.cli("set", "of another program", "kept");
		const store = await open(new Time(), { responses: { perCaller: 600, total: 600 } });
		for (let n = 0; n < 5; n++) await store.putResponse("alice", `${n}`, bytes("answer"), HOUR);
		await store.cleanUp();
		expect(await redis.cli("get", "of another program")).toBe("kept");
	});
});

describe("two gateways at once", () => {
	it("keep the books right", async () => {
		const budget = { perCaller: 6000, total: 9000 };
		const stores = [
			await open(new Time(), { checkpoints: budget, responses: budget }),
			await open(new Time(), { checkpoints: budget, responses: budget }),
		];
		const callers = ["alice", "bob", "carol"];
		await Promise.all(
			Array.from({ length: 300 }, async (_, n) => {
				const store = stores[n % 2]!;
				const caller = callers[n % 3]!;
				const contents = [0, 1, 2].map((i) => `${(n * 7 + i * 3) % 11}`.repeat(100 + (n % 5) * 100));
				await store.putCheckpoint(...checkpoint(caller, `k${n % 8}`, contents));
				await store.putResponse(caller, `a${n % 8}`, new Uint8Array((n % 10) * 200), HOUR);
				const found = await store.findCheckpoint(caller, `k${(n + 1) % 8}`);
				if (found) expect(found.blobs.size).toBeGreaterThan(0);
			}),
		);
		for (const caller of callers) {
			let size = 0;
			const blobs = new Map<string, Uint8Array>();
			for (let n = 0; n < 8; n++) {
				const found = await stores[0]!.findCheckpoint(caller, `k${n}`);
				if (!found) continue;
				size += sizeOfState(found.state, found.blobs.size);
				for (const [id, data] of found.blobs) blobs.set(id, data);
			}
			for (const data of blobs.values()) size += sizeOfBytes(data);
			expect(Number(await redis.cli("hget", "cursorwire:checkpoints:bytes", caller))).toBe(size);
			expect(Number(await redis.cli("hlen", `cursorwire:checkpoints:blobs:${caller}`))).toBe(blobs.size);
		}
		const sizes = (await redis.cli("hvals", "cursorwire:responses:sizes")).split("\n").map(Number);
		const bytesOfCallers = (await redis.cli("hvals", "cursorwire:responses:bytes")).split("\n").map(Number);
		const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
		expect(sum(bytesOfCallers)).toBe(sum(sizes));
		expect(sum(bytesOfCallers)).toBeLessThanOrEqual(budget.total);
	});

	it("revoke a key once, and never bring it back to life", async () => {
		const stores = await Promise.all([open(), open()]);
		await stores[0]!.addKey(keyRecord("a"));
		const outcomes = await Promise.all(
			Array.from({ length: 20 }, async (_, n) => {
				await stores[n % 2]!.addKey(keyRecord("a"));
				await stores[n % 2]!.addKey({ ...keyRecord(`again ${n}`), hash: keyRecord("a").hash });
				const revoked = await stores[(n + 1) % 2]!.revokeKey("a", n + 1);
				await stores[n % 2]!.touchKey("a", n);
				return revoked;
			}),
		);
		expect(outcomes.filter((revoked) => revoked)).toHaveLength(1);
		expect(await stores[1]!.listKeys()).toEqual([
			keyRecord("a", { lastUsedAt: 19, revokedAt: outcomes.indexOf(true) + 1 }),
		]);
	});

	it("go on with a checkpoint whose blobs the other one has removed meanwhile", async () => {
		const [one, other] = await Promise.all([open(), open()]);
		await one.putCheckpoint(...checkpoint("alice", "k", ["shared"]));
		const puts = await Promise.all([
			...Array.from({ length: 20 }, (_, n) => one.putCheckpoint(...checkpoint("alice", `k${n}`, ["shared", `${n}`]))),
			other.putCheckpoint(...checkpoint("alice", "k", ["else"])),
			...Array.from({ length: 20 }, (_, n) => other.putCheckpoint(...checkpoint("alice", `k${n}`, ["else"]))),
		]);
		expect(puts).not.toContain(false);
	});
});

it("is read after what the same gateway is about to write", async () => {
	const store = await open();
	const large = "x".repeat(100_000);
	const writes = [
		store.putCheckpoint(...checkpoint("alice", "k", [large, "small"])),
		store.putResponse("alice", "a", bytes("answer"), HOUR),
		store.putResponse("alice", "r", bytes("response"), HOUR),
	];
	expect((await store.findCheckpoint("alice", "k"))?.blobs).toEqual(blobsOf([large, "small"]));
	expect(text(await store.getResponse("alice", "a"))).toBe("answer");
	expect(await store.deleteResponse("alice", "r")).toBe(true);
	await Promise.all(writes);
});

describe("a Redis that cannot be used", () => {
	const refusal = (url: string) =>
		RedisStore.open({ url, now: Date.now, warn: expect.fail }).then(
			() => expect.fail("it was opened"),
			(error: Error) => error,
		);

	it.each([
		["nobody there", () => "redis://:hidden-word@127.0.0.1:1", /ECONNREFUSED/],
		["a wrong password", () => redis.url.replace(PASSWORD, "hidden-word"), /password is wrong/],
		["no password", () => redis.url.replace(`:${PASSWORD}@`, ""), /requires a password/],
		["no such database", () => `${redis.url}/99`, /no database with the number/],
		["no TLS there", () => redis.url.replace("redis:", "rediss:"), /cannot be reached/],
	])("is unavailable, and says why: %s", async (_name, url, reason) => {
		const error = await refusal(url());
		expect(error).toBeInstanceOf(StoreUnavailableError);
		expect(error.message).toMatch(reason);
		expect(JSON.stringify([error.message, error.stack, error, error.cause])).not.toMatch(`${PASSWORD}|hidden-word`);
	});

	it("is unavailable where something else answers", async () => {
		const server = createServer((_request, response) => response.end("hello")).listen(0, "127.0.0.1");
		onTestFinished(() => void server.close());
		await new Promise((resolve) => server.once("listening", resolve));
		const { port } = server.address() as AddressInfo;
		expect(await refusal(`redis://127.0.0.1:${port}`)).toBeInstanceOf(StoreUnavailableError);
	});

	it("is refused where a newer version has written it", async () => {
		await redis.cli("hset", "cursorwire:store", "schema", "2", "id", "x");
		expect(await refusal(redis.url)).toBeInstanceOf(StoreVersionError);
	});

	it("can be read while its memory is full", async () => {
		const store = await open();
		await fill(store);
		await redis.cli("config", "set", "maxmemory", "1");
		onTestFinished(() => redis.cli("config", "set", "maxmemory", "0").then(() => {}));
		const before = await allKeys();
		const writes = [
			store.putCheckpoint(...checkpoint("alice", "k2", ["three"])),
			store.putResponse("alice", "a2", bytes("answer"), HOUR),
			store.putResponse("alice", "r2", bytes("response"), HOUR),
			store.addKey(keyRecord("a")),
			store.appendLedger([ledgerRow()]),
		];
		for (const outcome of await Promise.allSettled(writes)) {
			expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StoreUnavailableError) });
		}
		expect((await store.findCheckpoint("alice", "k"))?.blobs).toEqual(blobsOf(["one", "two"]));
		expect(text(await store.getResponse("alice", "a"))).toBe("answer");
		expect(await store.lastRequests(5)).toHaveLength(1);
		expect(await refusal(redis.url)).toBeInstanceOf(StoreUnavailableError);
		expect(await allKeys()).toEqual(before);
	});

	it("is taken up again after a connection that broke while nobody used it", async () => {
		const store = await open();
		await fill(store);
		await redis.cli("client", "kill", "type", "normal", "skipme", "yes");
		// Until the end of the connection has arrived here.
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(await Promise.all([store.getResponse("alice", "a"), store.lastRequests(5)])).toHaveLength(2);
		expect(text(await store.getResponse("alice", "a"))).toBe("answer");
	});

	it("is not taken up again where its data is gone", async () => {
		const store = await open();
		await redis.cli("flushall");
		await redis.cli("client", "kill", "type", "normal", "skipme", "yes");
		// Until the end of the connection has arrived from the other process.
		await new Promise((resolve) => setTimeout(resolve, 50));
		await expect(store.listKeys()).rejects.toThrow(StoreUnavailableError);
	});

	it("knows scripts again that it has forgotten", async () => {
		const store = await open();
		await store.addKey(keyRecord("a"));
		await redis.cli("script", "flush");
		expect(await store.listKeys()).toEqual([keyRecord("a")]);
	});
});

it.each([
	["noeviction", 0],
	["allkeys-lru", 1],
	["volatile-ttl", 1],
])("that may remove what is stored is used with a warning: %s", async (policy, warned) => {
	await redis.cli("config", "set", "maxmemory-policy", policy);
	onTestFinished(async () => void (await redis.cli("config", "set", "maxmemory-policy", "noeviction")));
	const warnings: string[] = [];
	const warn = (message: string) => void warnings.push(message);
	const store = closing(await openStore({ dataDir: temporaryFolder(), redis: redis.url, warn }));
	expect(store.status()).toEqual({ mode: "redis" });
	expect(warnings).toHaveLength(warned);
	for (const warning of warnings) expect(warning).toContain(`maxmemory-policy ${policy}`);
});

it("is reached over TLS, with the certificate authorities of the settings", async () => {
	const folder = temporaryFolder();
	const authority = new TestAuthority();
	onTestFinished(() => authority.dispose());
	const [keyFile, certificateFile] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
	const { key, cert } = authority.issue();
	writeFileSync(keyFile, key);
	writeFileSync(certificateFile, cert);
	const secure = await startRedis([
		...["--tls-cert-file", certificateFile, "--tls-key-file", keyFile, "--tls-auth-clients", "no"],
	]);
	onTestFinished(() => secure.stop());
	// The port becomes one for TLS.
	const { port } = secure;
	await secure.cli("config", "set", "port", "0", "tls-port", `${port}`);
	const warnings: string[] = [];
	const warn = (message: string) => void warnings.push(message);
	const options = { dataDir: folder, redis: `rediss://127.0.0.1:${port}`, warn };
	const trusting = closing(await openStore({ ...options, caFile: authority.caPath }));
	expect(trusting.status()).toEqual({ mode: "redis" });
	const wary = closing(await openStore(options));
	expect(wary.status().mode).toBe("memory");
	vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
	onTestFinished(() => void vi.unstubAllEnvs());
	const stillWary = closing(await openStore(options));
	expect(stillWary.status().mode).toBe("memory");
	expect(warnings).toEqual([expect.stringContaining("certificate"), expect.stringContaining("certificate")]);
});
