import { expect, it } from "vitest";
import { forecast, type Reading, sinceReset } from "./forecast.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.UTC(2026, 10, 15, 12);

/** Readings so many days ago. */
const read = (...points: [daysAgo: number, usedPercent: number][]): Reading[] =>
	points.map(([daysAgo, usedPercent]) => ({ at: NOW - daysAgo * DAY, usedPercent }));
const inDays = (days: number) => NOW + days * DAY;

it.each<[what: string, readings: Reading[], resetsInDays: number, expected: object]>([
	["no readings", [], 10, {}],
	["a single reading", read([0, 40]), 10, {}],
	["two readings within minutes", read([0.01, 40], [0, 41]), 10, {}],
	[
		"ten percent a day, and the reset later",
		read([2, 40], [1, 50], [0, 60]),
		10,
		{ runsOutAt: inDays(4), percentAtReset: 100 },
	],
	["ten percent a day, and the reset before that", read([2, 40], [1, 50], [0, 60]), 3, { percentAtReset: 90 }],
	["used up exactly at the reset", read([2, 40], [0, 60]), 4, { runsOutAt: inDays(4), percentAtReset: 100 }],
	["nothing used lately", read([20, 0], [10, 80], [4, 80], [0, 80]), 5, { percentAtReset: 80 }],
	["a pool that falls a little", read([2, 60], [0, 59]), 5, { percentAtReset: 59 }],
	["used up already", read([3, 90], [2, 100], [0, 100]), 5, { runsOutAt: inDays(-2), percentAtReset: 100 }],
	["only the last days count", read([13, 0], [3, 80], [0, 83]), 10, { percentAtReset: 93 }],
	["a gap over the beginning of the last days", read([6, 0], [0, 60]), 2, { percentAtReset: 80 }],
])("%s", (_, readings, days, expected) => {
	const { percentAtReset, ...rest } = forecast(readings, { now: NOW, resetsAt: inDays(days) });
	const rounded = percentAtReset === undefined ? {} : { percentAtReset: Math.round(percentAtReset * 1000) / 1000 };
	expect({ ...rest, ...rounded }).toEqual(expected);
});

it("takes the beginning of the period for a reading, where it is known", () => {
	const resetsAt = inDays(20);
	const known = forecast(read([0, 40]), { now: NOW, periodStart: inDays(-2), resetsAt });
	expect(known).toEqual({ runsOutAt: inDays(3), percentAtReset: 100 });
	expect(forecast(read([0, 40]), { now: NOW, periodStart: NOW, resetsAt })).toEqual({});
});

it("promises nothing where the reset is unknown or over", () => {
	const readings = read([2, 40], [0, 60]);
	expect(forecast(readings, { now: NOW })).toEqual({});
	expect(forecast(readings, { now: NOW, resetsAt: NOW })).toEqual({});
});

it("never promises a date after the reset", () => {
	for (let last = 0; last <= 100; last += 7) {
		for (let days = 1; days < 30; days += 3) {
			const { runsOutAt = 0 } = forecast(read([1.5, last / 3], [0, last]), { now: NOW, resetsAt: inDays(days) });
			expect(runsOutAt).toBeLessThanOrEqual(inDays(days));
		}
	}
});

it.each<[what: string, readings: Reading[], kept: number]>([
	["no reset", read([3, 10], [2, 20], [1, 30]), 3],
	["a reset in between", read([3, 80], [2, 90], [1, 3], [0, 5]), 2],
	["two resets", read([5, 80], [4, 0], [3, 70], [2, 90], [1, 3]), 1],
	["a correction", read([2, 80], [1, 78], [0, 79]), 3],
	["a correction near zero", read([2, 1.5], [1, 0], [0, 1]), 3],
	["nothing", [], 0],
])("counts from the last reset: %s", (_, readings, kept) => {
	expect(sinceReset(readings)).toEqual(readings.slice(readings.length - kept));
});

it("leaves out what was read before the period", () => {
	expect(sinceReset(read([3, 80], [1, 82]), inDays(-2))).toEqual(read([1, 82]));
});
