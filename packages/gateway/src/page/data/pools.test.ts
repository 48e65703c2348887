import { expect, it } from "vitest";
import type { PoolReading } from "../../store/pool-readings.ts";
import type { KnownQuota } from "../../usage/quota-watch.ts";
import { poolHistories, poolsOf, quotaOrLast } from "./pools.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 15, 12);
const reading = (daysAgo: number, usedPercent: number, pool: "auto" | "api" = "auto"): PoolReading => ({
	at: NOW - daysAgo * DAY,
	pool,
	usedPercent,
	resetsAt: NOW + 10 * DAY,
});
const quotaWith = (changes: Partial<KnownQuota> = {}): KnownQuota => ({
	readAt: NOW,
	pools: [
		{ name: "auto", usedPercent: 60, usedCents: 600, limitCents: 1000 },
		{ name: "api", usedPercent: undefined },
	],
	resetsAt: NOW + 10 * DAY,
	autoModels: [],
	...changes,
});

it("shows each pool as it emptied, what Cursor says now included, with a forecast", () => {
	const [auto, api] = poolHistories(quotaWith(), [reading(2, 40), reading(1, 50)], NOW);
	expect(auto).toEqual({
		...{ name: "auto", usedPercent: 60, usedCents: 600, limitCents: 1000, resetsAt: NOW + 10 * DAY },
		readings: [
			{ at: NOW - 2 * DAY, usedPercent: 40 },
			{ at: NOW - DAY, usedPercent: 50 },
			{ at: NOW, usedPercent: 60 },
		],
		runsOutAt: NOW + 4 * DAY,
		percentAtReset: 100,
	});
	expect(api).toEqual({ name: "api", resetsAt: NOW + 10 * DAY, readings: [] });
});

it("begins with the period, and again after a reset", () => {
	const readings = [reading(6, 80), reading(4, 85), reading(3, 5), reading(2, 20)];
	const since = (quota: Partial<KnownQuota>) => poolHistories(quotaWith(quota), readings, NOW)[0]!.readings.length;
	expect(since({})).toBe(3);
	expect(since({ periodStart: NOW - 2.5 * DAY })).toBe(2);
});

it("shows what was read before where Cursor cannot be asked, and nothing where nothing is known", () => {
	const [auto, ...others] = poolHistories(undefined, [reading(2, 40), reading(1, 50)], NOW);
	expect(auto).toMatchObject({ name: "auto", usedPercent: 50, resetsAt: NOW + 10 * DAY });
	expect(auto!.readings).toHaveLength(2);
	expect(others).toEqual([]);
	expect(poolHistories(undefined, [], NOW)).toEqual([]);
});

it("shows at most 400 readings, the first and the last among them", () => {
	const readings = Array.from({ length: 5_000 }, (_, index) => reading((5_000 - index) / 1_000, index / 100));
	const [auto] = poolHistories(quotaWith({ pools: [] }), readings, NOW);
	expect(auto!.readings).toHaveLength(400);
	expect(auto!.readings[0]!.usedPercent).toBe(0);
	expect(auto!.readings.at(-1)!.usedPercent).toBe(49.99);
	expect(new Set(auto!.readings.map(({ at }) => at)).size).toBe(400);
});

it("has no pools without a quota, and takes the last one where reading fails", async () => {
	expect(poolsOf(undefined)).toEqual([]);
	const last = quotaWith();
	expect(await quotaOrLast({ read: () => Promise.reject(new Error("away")), last })).toBe(last);
	const read = quotaWith({ readAt: 1 });
	expect(await quotaOrLast({ read: async () => read, last })).toBe(read);
});
