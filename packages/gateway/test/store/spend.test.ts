import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { StoreUnavailableError } from "../../src/store/errors.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { SpendLimit } from "../../src/store/spend/spend-limit.ts";
import type { SpendTake } from "../../src/store/spend/spend-store.ts";
import { closing, until } from "../kit/cleanup.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { IMPLEMENTATIONS, stopRedisAfterTests } from "./implementations.ts";
import { limits, Time, temporaryFolder } from "./stores.ts";

stopRedisAfterTests();

const FAR = 1e13;
const take = (counter: string, amount: number, most?: number): SpendTake => ({
	...{ counter, amount, since: 0, expiresAt: FAR },
	...(most !== undefined && { most }),
});
const spendLimit = (id: string, changes: Partial<SpendLimit> = {}): SpendLimit => ({
	...{ id, amount: 20, unit: "turns", window: "day", scope: {}, mode: "stop", createdAt: 1, changedAt: 1 },
	...changes,
});

describe.each(Object.entries(IMPLEMENTATIONS))("what the %s store says of spending", (_name, make) => {
	const setUp = async () => ({ store: closing(await make(new Time().now, limits())) });

	it("takes from all counters or from none", async () => {
		const { store } = await setUp();
		expect(await store.takeSpend([take("a", 1, 3), take("b", 40, 100)])).toEqual({ taken: true, used: [1, 40] });
		expect(await store.takeSpend([take("b", 60, 100), take("a", 1, 3)])).toEqual({ taken: true, used: [100, 2] });
		expect(await store.takeSpend([take("a", 1, 3), take("b", 1, 100)])).toEqual({ taken: false, used: [2, 100] });
		expect(await store.takeSpend([take("a", 1, 3), take("b", 900)])).toEqual({ taken: true, used: [3, 1000] });
		expect(await store.readSpend(["b", "a", "c"])).toEqual([1000, 3, 0]);
	});

	it("gives back, and never more than there was", async () => {
		const { store } = await setUp();
		await store.takeSpend([take("a", 5, 10)]);
		expect(await store.changeSpend([take("a", -2), take("b", -7), take("c", 4)])).toEqual([3, 0, 4]);
		expect(await store.changeSpend([take("a", -9)])).toEqual([0]);
		expect((await store.takeSpend([take("a", 10, 10)])).taken).toBe(true);
	});

	it("lets exactly as many through as fit, however many ask at once", async () => {
		const { store } = await setUp();
		const asked = await Promise.all(Array.from({ length: 64 }, async () => store.takeSpend([take("a", 1, 10)])));
		expect(asked.filter(({ taken }) => taken)).toHaveLength(10);
		expect(await store.readSpend(["a"])).toEqual([10]);
	});

	it("keeps the newest form of each limit, removed ones too", async () => {
		const { store } = await setUp();
		await store.putLimit(spendLimit("two", { createdAt: 2 }));
		await store.putLimit(spendLimit("one", { scope: { key: "k", model: "claude-*" } }));
		await store.putLimit(spendLimit("two", { createdAt: 2, changedAt: 9, amount: 40, removedAt: 9 }));
		await store.putLimit(spendLimit("two", { createdAt: 2, changedAt: 5, amount: 30 }));
		expect(await store.listLimits()).toEqual([
			spendLimit("one", { scope: { key: "k", model: "claude-*" } }),
			spendLimit("two", { createdAt: 2, changedAt: 9, amount: 40, removedAt: 9 }),
		]);
	});
});

it("all stores agree on any sequence", async () => {
	const time = new Time();
	const amount = fc.integer({ min: 0, max: 9 });
	const counter = fc.constantFrom("a", "b");
	const step = fc.oneof(
		fc.record({ takes: fc.uniqueArray(fc.tuple(counter, amount, fc.option(amount)), { selector: ([name]) => name }) }),
		fc.record({ change: fc.tuple(counter, fc.integer({ min: -9, max: 9 })) }),
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
			const stores = await Promise.all(Object.values(IMPLEMENTATIONS).map((make) => make(time.now, limits())));
			try {
				for (const each of steps) {
					const answers = await Promise.all(
						stores.map(async (store) =>
							"takes" in each
								? each.takes.length > 0 &&
									store.takeSpend(each.takes.map(([name, size, most]) => take(name, size, most ?? undefined)))
								: store.changeSpend([take(...each.change)]),
						),
					);
					expect(answers[1]).toEqual(answers[0]);
					expect(answers[2]).toEqual(answers[0]);
				}
			} finally {
				for (const store of stores) await store.close();
			}
		}),
		{ numRuns: 15 },
	);
});

describe("limits and counters while the store is away", () => {
	const open = async (dataDir: string) => {
		const warnings: string[] = [];
		const clock = new ManualClock();
		const store = closing(await openStore({ dataDir, clock, warn: (warning) => warnings.push(warning) }));
		return { store, clock, warnings };
	};
	const loseFile = (dataDir: string) => {
		for (const end of ["", "-wal", "-shm"]) rmSync(join(dataDir, `cursorwire.db${end}`), { force: true });
	};

	it("a lost database is given the limits again", async () => {
		const dataDir = temporaryFolder();
		const first = await open(dataDir);
		await first.store.putLimit(spendLimit("kept"));
		await first.store.putLimit(spendLimit("removed"));
		await first.store.putLimit(spendLimit("removed", { changedAt: 2, removedAt: 2 }));
		await first.store.close();
		loseFile(dataDir);
		appendFileSync(join(dataDir, "spend-limits.jsonl"), '\n{"id":"torn","cre');
		const second = await open(dataDir);
		expect(second.store.status().mode).toBe("sqlite");
		expect(await second.store.listLimits()).toMatchObject([{ id: "kept" }, { id: "removed", removedAt: 2 }]);
	});

	it("a database that was lost between two starts is told what the counters of the former one said", async () => {
		const dataDir = temporaryFolder();
		const first = await open(dataDir);
		await first.store.putLimit(spendLimit("kept"));
		await first.store.takeSpend([take("a", 8, 10)]);
		await first.store.takeSpend([take("a", 1, 10)]);
		await first.store.close();
		loseFile(dataDir);
		const second = await open(dataDir);
		expect(second.store.status().mode).toBe("sqlite");
		expect((await second.store.takeSpend([take("a", 2, 10)])).taken).toBe(false);
		expect(await second.store.takeSpend([take("a", 1, 10)])).toEqual({ taken: true, used: [10] });
	});

	it("a database that is still there is believed, also where a copy says more", async () => {
		const dataDir = temporaryFolder();
		const first = await open(dataDir);
		await first.store.putLimit(spendLimit("kept"));
		await first.store.takeSpend([take("a", 8, 10)]);
		await first.store.changeSpend([take("a", -8)]);
		await first.store.close();
		const second = await open(dataDir);
		expect(await second.store.readSpend(["a"])).toEqual([0]);
	});

	it("memory goes on from what the counters last said", async () => {
		const dataDir = temporaryFolder();
		const { store } = await open(dataDir);
		await store.takeSpend([take("a", 8, 10)]);
		loseFile(dataDir);
		expect(await store.takeSpend([take("a", 2, 10)])).toEqual({ taken: true, used: [10] });
		expect(store.status().degraded).toContain("deleted");
		expect((await store.takeSpend([take("a", 1, 10)])).taken).toBe(false);
	});

	it("a database that begins anew is told what the counters of the lost one said", async () => {
		const dataDir = temporaryFolder();
		const { store, clock } = await open(dataDir);
		await store.takeSpend([take("a", 7, 10), take("b", 1, 10)]);
		loseFile(dataDir);
		await store.takeSpend([take("a", 1, 10)]);
		expect(store.status().degraded).toContain("deleted");
		clock.advance(60_000);
		await until(() => store.status().mode === "sqlite");
		expect(await store.readSpend(["a", "b"])).toEqual([8, 1]);
		expect((await store.takeSpend([take("a", 3, 10)])).taken).toBe(false);
		expect(await store.takeSpend([take("a", 2, 10)])).toEqual({ taken: true, used: [10] });
	});

	it("a counter that nobody can read is unknown, unless its window began since", async () => {
		const dataDir = temporaryFolder();
		const { store } = await open(dataDir);
		loseFile(dataDir);
		const asked = async (since: number) => store.takeSpend([{ ...take(`b${since}`, 1, 10), since }]);
		await expect(asked(0)).rejects.toThrow(expect.objectContaining({ name: "SpendUnknownError" }));
		expect(await asked(Date.now() + 60_000)).toEqual({ taken: true, used: [1] });
		expect(await store.takeSpend([take("only counted", 1)])).toEqual({ taken: true, used: [1] });
	});
});

it("is unavailable, not wrong, where the file is closed", async () => {
	const store = await IMPLEMENTATIONS.sqlite(new Time().now, limits());
	await store.close();
	expect(() => store.takeSpend([take("a", 1)])).toThrow(StoreUnavailableError);
});
