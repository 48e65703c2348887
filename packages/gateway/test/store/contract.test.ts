import { describe, expect, it } from "vitest";
import type { StoreLimits } from "../../src/store/limits.ts";
import { closing } from "../kit/cleanup.ts";
import { IMPLEMENTATIONS, stopRedisAfterTests } from "./implementations.ts";
import { blobsOf, bytes, checkpoint, keyRecord, ledgerRow, limits, Time, text } from "./stores.ts";

stopRedisAfterTests();

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const MIB = 1 << 20;

describe.each(Object.entries(IMPLEMENTATIONS))("the %s store", (_name, make) => {
	async function setUp(changes: Partial<StoreLimits> = {}) {
		const time = new Time();
		return { time, store: closing(await make(time.now, limits(changes))) };
	}

	describe("checkpoints", () => {
		it("gives back state and blobs", async () => {
			const { store } = await setUp();
			expect(await store.putCheckpoint(...checkpoint("alice", "k", ["one", "two", ""]))).toBe(true);
			const found = await store.findCheckpoint("alice", "k");
			expect(found?.conversationId).toBe("conversation of alice");
			expect(text(found?.state)).toBe("state of k");
			expect(found?.blobs).toEqual(blobsOf(["one", "two", ""]));
			for (const blob of found!.blobs.values()) expect(blob).toBeInstanceOf(Uint8Array);
		});

		it("shows a caller nothing of another one", async () => {
			const { store } = await setUp();
			await store.putCheckpoint(...checkpoint("alice", "k", ["secret"]));
			expect(await store.findCheckpoint("bob", "k")).toBeUndefined();
			// Knowing the id of a blob is not having it.
			const [record] = checkpoint("bob", "k", ["secret"]);
			expect(await store.putCheckpoint(record, new Map())).toBe(false);
			expect(await store.findCheckpoint("bob", "k")).toBeUndefined();
			await store.putCheckpoint(...checkpoint("bob", "k", ["other"], "bob's"));
			expect(text((await store.findCheckpoint("alice", "k"))?.state)).toBe("state of k");
			expect(text((await store.findCheckpoint("bob", "k"))?.state)).toBe("bob's");
		});

		it("keeps the callers apart whatever their names look like", async () => {
			const { store } = await setUp();
			const names = ["a", "A", "a ", " a", "á", "a\u0301", "a'--", "%", "", "a/b", '["a"'];
			for (const name of names) await store.putCheckpoint(...checkpoint(name, "k", [], `of ${name}`));
			for (const name of names) {
				expect(text((await store.findCheckpoint(name, "k"))?.state)).toBe(`of ${name}`);
			}
		});

		it("does not keep a checkpoint whose blobs are not all there, and leaves the former one", async () => {
			const { store } = await setUp();
			await store.putCheckpoint(...checkpoint("alice", "k", ["one"], "former"));
			const [record, blobs] = checkpoint("alice", "k", ["two", "three"], "new");
			blobs.delete([...blobsOf(["three"]).keys()][0]!);
			expect(await store.putCheckpoint(record, blobs)).toBe(false);
			const found = await store.findCheckpoint("alice", "k");
			expect(text(found?.state)).toBe("former");
			expect(found?.blobs).toEqual(blobsOf(["one"]));
			// Nor was the half that came stored on the way.
			expect(await store.putCheckpoint(checkpoint("alice", "k2", ["two"])[0], new Map())).toBe(false);
		});

		it("takes blobs it has already from what it has", async () => {
			const { store } = await setUp();
			await store.putCheckpoint(...checkpoint("alice", "k1", ["one", "two"]));
			expect(await store.putCheckpoint(checkpoint("alice", "k2", ["one", "two", "three"])[0], blobsOf(["three"]))).toBe(
				true,
			);
			expect((await store.findCheckpoint("alice", "k2"))?.blobs).toEqual(blobsOf(["one", "two", "three"]));
		});

		it("ignores given blobs that nothing reaches, and ids named twice", async () => {
			const { store } = await setUp();
			const [record] = checkpoint("alice", "k1", ["one", "one"]);
			await store.putCheckpoint(record, blobsOf(["one", "stray"]));
			expect((await store.findCheckpoint("alice", "k1"))?.blobs).toEqual(blobsOf(["one"]));
			expect(await store.putCheckpoint(checkpoint("alice", "k2", ["stray"])[0], new Map())).toBe(false);
		});

		it("replaces a checkpoint of the same key and forgets the blobs only that one reached", async () => {
			const { store } = await setUp();
			await store.putCheckpoint(...checkpoint("alice", "k", ["shared", "old"]));
			await store.putCheckpoint(...checkpoint("alice", "k", ["shared", "new"], "second"));
			const found = await store.findCheckpoint("alice", "k");
			expect(text(found?.state)).toBe("second");
			expect(found?.blobs).toEqual(blobsOf(["shared", "new"]));
			expect(await store.putCheckpoint(checkpoint("alice", "k2", ["old"])[0], new Map())).toBe(false);
		});

		it("keeps its own copy", async () => {
			const { store } = await setUp();
			const [record, blobs] = checkpoint("alice", "k", ["one"]);
			await store.putCheckpoint(record, blobs);
			record.state.fill(0);
			for (const blob of blobs.values()) blob.fill(0);
			const found = await store.findCheckpoint("alice", "k");
			expect(text(found?.state)).toBe("state of k");
			expect(found?.blobs).toEqual(blobsOf(["one"]));
		});

		it("forgets a checkpoint after its time, counted from its last use", async () => {
			const { store, time } = await setUp({ checkpointTtlMs: 7 * DAY });
			await store.putCheckpoint(...checkpoint("alice", "used", ["shared", "a"]));
			await store.putCheckpoint(...checkpoint("alice", "unused", ["shared", "b"]));
			time.pass(5 * DAY);
			expect(await store.findCheckpoint("alice", "used")).toBeDefined();
			time.pass(2 * DAY);
			expect(await store.findCheckpoint("alice", "unused")).toBeUndefined();
			await store.cleanUp();
			expect((await store.findCheckpoint("alice", "used"))?.blobs).toEqual(blobsOf(["shared", "a"]));
			expect(await store.putCheckpoint(checkpoint("alice", "k", ["b"])[0], new Map())).toBe(false);
			time.pass(7 * DAY);
			expect(await store.findCheckpoint("alice", "used")).toBeUndefined();
			await store.cleanUp();
			expect(await store.putCheckpoint(checkpoint("alice", "k", ["shared"])[0], new Map())).toBe(false);
		});

		it("makes room within the caller's bytes by what was used least recently", async () => {
			const { store, time } = await setUp({ checkpoints: { perCaller: 10_000, total: 100_000 } });
			const large = (letter: string) => letter.repeat(2000);
			for (const key of ["a", "b", "c"]) {
				await store.putCheckpoint(...checkpoint("alice", key, ["shared", large(key)]));
				time.pass(1);
			}
			await store.putCheckpoint(...checkpoint("bob", "a", [large("z")]));
			time.pass(1);
			await store.findCheckpoint("alice", "a");
			time.pass(1);
			await store.putCheckpoint(...checkpoint("alice", "d", ["shared", large("d")]));
			expect(await store.findCheckpoint("alice", "b")).toBeUndefined();
			expect((await store.findCheckpoint("alice", "a"))?.blobs).toEqual(blobsOf(["shared", large("a")]));
			expect(await store.findCheckpoint("alice", "c")).toBeDefined();
			expect(await store.findCheckpoint("alice", "d")).toBeDefined();
			expect(await store.findCheckpoint("bob", "a")).toBeDefined();
		});

		it("makes room within the bytes of all callers", async () => {
			const { store, time } = await setUp({ checkpoints: { perCaller: 10_000, total: 10_000 } });
			for (const caller of ["alice", "bob", "carol", "dave", "erin"]) {
				expect(await store.putCheckpoint(...checkpoint(caller, "k", [caller.padEnd(2000)]))).toBe(true);
				time.pass(1);
			}
			expect(await store.findCheckpoint("alice", "k")).toBeUndefined();
			expect(await store.findCheckpoint("erin", "k")).toBeDefined();
		});

		it("counts a shared blob once", async () => {
			const { store, time } = await setUp({ checkpoints: { perCaller: 10_000, total: 10_000 } });
			const shared = "s".repeat(5000);
			for (const key of ["a", "b", "c", "d"]) {
				expect(await store.putCheckpoint(...checkpoint("alice", key, [shared]))).toBe(true);
				time.pass(1);
			}
			for (const key of ["a", "b", "c", "d"]) expect(await store.findCheckpoint("alice", key)).toBeDefined();
		});

		it("refuses what is larger than all the caller may have, without removing anything for it", async () => {
			const { store } = await setUp({ checkpoints: { perCaller: 10_000, total: 100_000 } });
			await store.putCheckpoint(...checkpoint("alice", "small", ["one"]));
			expect(await store.putCheckpoint(...checkpoint("alice", "large", ["x".repeat(10_000)]))).toBe(false);
			expect(await store.putCheckpoint(...checkpoint("alice", "large", [], "x".repeat(10_000)))).toBe(false);
			expect(await store.findCheckpoint("alice", "small")).toBeDefined();
		});

		it("bounds the number of empty records, too", async () => {
			const { store, time } = await setUp({ checkpoints: { perCaller: 10_000, total: 10_000 } });
			for (let index = 0; index < 200; index++) {
				await store.putCheckpoint(...checkpoint("alice", `k${index}`, [], ""));
				time.pass(1);
			}
			const found = await Promise.all(
				Array.from({ length: 200 }, (_, index) => store.findCheckpoint("alice", `k${index}`)),
			);
			expect(found.filter((entry) => entry).length).toBeLessThan(50);
			expect(found.at(-1)).toBeDefined();
		});
	});

	describe("responses", () => {
		async function setUpResponses(changes: Partial<StoreLimits> = {}) {
			const { store, time } = await setUp(changes);
			return { store, time, put: store.putResponse.bind(store), get: store.getResponse.bind(store) };
		}

		it("are found by their caller until their time is over", async () => {
			const { put, get, store, time } = await setUpResponses();
			await put("alice", "id", bytes("payload"), HOUR);
			await put("alice", "empty", new Uint8Array(0), 2 * HOUR);
			expect(text(await get("alice", "id"))).toBe("payload");
			expect(await get("alice", "empty")).toEqual(new Uint8Array(0));
			expect(await get("bob", "id")).toBeUndefined();
			time.pass(HOUR);
			expect(await get("alice", "id")).toBeUndefined();
			await store.cleanUp();
			expect(await get("alice", "empty")).toBeDefined();
		});

		it("are replaced by a later one of the same id", async () => {
			const { put, get } = await setUpResponses();
			await put("alice", "id", bytes("first"), HOUR);
			await put("alice", "id", bytes("second"), HOUR);
			expect(text(await get("alice", "id"))).toBe("second");
		});

		it("may be long: they are found whole, replaced, and gone with their time", async () => {
			const { put, get, store, time } = await setUpResponses({ responses: { perCaller: 5 * MIB, total: 32 * MIB } });
			const long = (length: number) => Buffer.alloc(length, "0123456789a");
			for (const payload of [long(3 * MIB), long(4 * MIB + 1), bytes("short"), long(2 * MIB)]) {
				await put("alice", "id", payload, HOUR);
				expect(Buffer.from((await get("alice", "id"))!).equals(payload)).toBe(true);
			}
			expect(await get("bob", "id")).toBeUndefined();
			time.pass(HOUR);
			await store.cleanUp();
			expect(await get("alice", "id")).toBeUndefined();
			await Promise.all(["1", "2"].map((id) => put("alice", id, long(3 * MIB), HOUR)));
			expect([await get("alice", "1"), (await get("alice", "2"))?.length]).toEqual([undefined, 3 * MIB]);
		});

		it("leave from the old end when there are too many bytes of a caller or of all", async () => {
			const { put, get } = await setUpResponses({ responses: { perCaller: 5000, total: 8000 } });
			for (const id of ["1", "2", "3"]) await put("alice", id, new Uint8Array(2000), HOUR);
			expect(await get("alice", "1")).toBeUndefined();
			expect(await get("alice", "2")).toBeDefined();
			for (const id of ["1", "2"]) await put("bob", id, new Uint8Array(2000), HOUR);
			expect(await get("alice", "2")).toBeUndefined();
			expect(await get("alice", "3")).toBeDefined();
			expect(await get("bob", "1")).toBeDefined();
			await put("bob", "too large", new Uint8Array(6000), HOUR);
			expect(await get("bob", "too large")).toBeUndefined();
			expect(await get("bob", "2")).toBeDefined();
		});
	});

	it("deletes a response for its caller only", async () => {
		const { store, time } = await setUp();
		await store.putResponse("alice", "id", bytes("payload"), HOUR);
		expect(await store.deleteResponse("bob", "id")).toBe(false);
		expect(await store.getResponse("alice", "id")).toBeDefined();
		expect(await store.deleteResponse("alice", "id")).toBe(true);
		expect(await store.deleteResponse("alice", "id")).toBe(false);
		expect(await store.getResponse("alice", "id")).toBeUndefined();
		await store.putResponse("alice", "expired", bytes("payload"), HOUR);
		time.pass(HOUR);
		expect(await store.deleteResponse("alice", "expired")).toBe(false);
	});

	describe("keys", () => {
		it("are listed in order, with everything that is known of them", async () => {
			const { store } = await setUp();
			const records = [
				keyRecord("a", { createdAt: 1 }),
				keyRecord("b", { createdAt: 2, lastUsedAt: 5, revokedAt: 7, limits: { concurrentTurns: 3 } }),
				keyRecord("c", { createdAt: 3, kind: "metrics" }),
			];
			for (const record of records) await store.addKey(record);
			expect(await store.listKeys()).toEqual(records);
		});

		it("do not come back to life by being added again", async () => {
			const { store } = await setUp();
			await store.addKey(keyRecord("a"));
			expect(await store.revokeKey("a", 10)).toBe(true);
			expect(await store.revokeKey("a", 11)).toBe(false);
			expect(await store.revokeKey("unknown", 11)).toBe(false);
			await store.addKey(keyRecord("a"));
			await store.addKey({ ...keyRecord("other id"), hash: keyRecord("a").hash });
			expect(await store.listKeys()).toEqual([keyRecord("a", { revokedAt: 10 })]);
		});

		it("remember their last use", async () => {
			const { store } = await setUp();
			await store.addKey(keyRecord("a"));
			await store.touchKey("a", 20);
			await store.touchKey("a", 15);
			await store.touchKey("unknown", 15);
			expect(await store.listKeys()).toEqual([keyRecord("a", { lastUsedAt: 20 })]);
		});

		it("that expire are renewed, never shortened, and neither lasting nor revoked ones are", async () => {
			const { store } = await setUp();
			await store.addKey(keyRecord("lasting", { createdAt: 1 }));
			await store.addKey(keyRecord("passing", { createdAt: 2, expiresAt: 100 }));
			expect(await store.renewKey("passing", 200)).toBe(true);
			expect(await store.renewKey("passing", 150)).toBe(true);
			expect(await store.renewKey("lasting", 200)).toBe(false);
			expect(await store.renewKey("unknown", 200)).toBe(false);
			const [lasting, passing] = [keyRecord("lasting", { createdAt: 1 }), { createdAt: 2, expiresAt: 200 }];
			expect(await store.listKeys()).toEqual([lasting, keyRecord("passing", passing)]);
			await store.revokeKey("passing", 10);
			expect(await store.renewKey("passing", 300)).toBe(false);
			expect(await store.listKeys()).toEqual([lasting, keyRecord("passing", { ...passing, revokedAt: 10 })]);
		});

		it("that have expired are known for another thirty days, by their ids and hashes", async () => {
			const { store, time } = await setUp();
			const expiresAt = time.now() + HOUR;
			await store.addKey(keyRecord("lasting", { createdAt: 1, revokedAt: 2 }));
			await store.addKey(keyRecord("passing", { createdAt: 2, expiresAt, revokedAt: 3 }));
			time.pass(HOUR + 30 * DAY);
			await store.cleanUp();
			expect((await store.listKeys()).map(({ id }) => id)).toEqual(["lasting", "passing"]);
			time.pass(1);
			await store.cleanUp();
			expect((await store.listKeys()).map(({ id }) => id)).toEqual(["lasting"]);
			await store.addKey(keyRecord("passing", { createdAt: 4 }));
			expect(await store.listKeys()).toContainEqual(keyRecord("passing", { createdAt: 4 }));
		});
	});

	describe("ledger", () => {
		it("gives the newest rows first", async () => {
			const { store } = await setUp();
			const rows = [
				ledgerRow({ model: "a" }),
				ledgerRow({ model: "b", firstTokenMs: undefined, status: 502, errorKind: "upstream-reset" }),
				ledgerRow({ model: "c" }),
			];
			await store.appendLedger(rows.slice(0, 2));
			await store.appendLedger(rows.slice(2));
			const newest = await store.lastRequests(2);
			expect(newest).toEqual([rows[2], rows[1]].map((row) => ({ ...row, id: expect.any(Number) })));
			expect(newest[0]!.id).toBeGreaterThan(newest[1]!.id);
			expect(await store.lastRequests(10)).toHaveLength(3);
			expect(await store.lastRequests(0)).toEqual([]);
		});

		it("adds up by day, caller and model", async () => {
			const { store } = await setUp();
			const day = Date.UTC(2026, 10, 14);
			await store.appendLedger([
				ledgerRow({ at: day - 1 }),
				ledgerRow({ at: day }),
				ledgerRow({ at: day + DAY - 1, errorKind: "internal" }),
				ledgerRow({ at: day + DAY }),
				ledgerRow({ at: day, caller: "bob" }),
				ledgerRow({ at: day, model: "other" }),
			]);
			const one = { requests: 1, failures: 0, inputTokens: 10, outputTokens: 5, cachedTokens: 3, reasoningTokens: 2 };
			const two = { requests: 2, failures: 1, inputTokens: 20, outputTokens: 10, cachedTokens: 6, reasoningTokens: 4 };
			expect(await store.usageSince(day)).toEqual([
				{ day: "2026-11-14", caller: "alice", model: "auto", ...two },
				{ day: "2026-11-14", caller: "alice", model: "other", ...one },
				{ day: "2026-11-14", caller: "bob", model: "auto", ...one },
				{ day: "2026-11-15", caller: "alice", model: "auto", ...one },
			]);
		});

		it("is bounded in time and rows", async () => {
			const { store, time } = await setUp({ ledgerTtlMs: 10 * DAY, ledgerRows: 120 });
			await store.appendLedger([ledgerRow({ at: time.now() - 11 * DAY }), ledgerRow({ at: time.now() - 9 * DAY })]);
			await store.cleanUp();
			expect((await store.usageSince(0)).map(({ day }) => day)).toEqual(["2026-11-06"]);
			await store.appendLedger(
				Array.from({ length: 300 }, (_, index) => ledgerRow({ at: time.now(), model: `${index}` })),
			);
			await store.cleanUp();
			const rows = await store.lastRequests(1000);
			expect(rows).toHaveLength(120);
			expect(rows[0]?.model).toBe("299");
		});
	});
});
