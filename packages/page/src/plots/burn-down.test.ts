import { expect, it } from "vitest";
import { DAY, dateOf } from "../text/times.ts";
import { burnDown, forecastText } from "./burn-down.ts";

const pool = { name: "api" as const, periodStart: 0, resetsAt: 30 * DAY, readings: [] };
const readings = [
	{ at: 0, usedPercent: 0 },
	{ at: 10 * DAY, usedPercent: 40 },
];

it("draws what is left, and the forecast from the last reading to nothing", () => {
	const { from, to, points, forecast } = burnDown({ ...pool, readings, runsOutAt: 25 * DAY, percentAtReset: 120 }, 0);
	expect([from, to]).toEqual([0, 30 * DAY]);
	expect(points).toEqual([
		{ at: 0, left: 100 },
		{ at: 10 * DAY, left: 60 },
	]);
	expect(forecast).toEqual([
		{ at: 10 * DAY, left: 60 },
		{ at: 25 * DAY, left: 0 },
	]);
});

it("draws it to the reset where it lasts", () => {
	expect(burnDown({ ...pool, readings, percentAtReset: 70 }, 0).forecast.at(-1)).toEqual({ at: 30 * DAY, left: 30 });
});

it("has no forecast without readings, or before the rate is known", () => {
	expect(burnDown({ ...pool, runsOutAt: DAY }, 0).forecast).toEqual([]);
	expect(burnDown({ ...pool, readings }, 0).forecast).toEqual([]);
});

it("shows a month where the period is not known", () => {
	const { from, to } = burnDown({ name: "auto", readings: [{ at: 5, usedPercent: 1 }] }, 99);
	expect([from, to]).toEqual([5, 5 + 30 * DAY]);
});

it("says in a sentence whether it lasts", () => {
	const reset = ` It resets on ${dateOf(30 * DAY)}.`;
	expect(forecastText(pool, 0)).toBe("Cursor has not said how much is used.");
	expect(forecastText({ ...pool, usedPercent: 40 }, 0)).toBe(`40\u202f% used.${reset}`);
	expect(forecastText({ ...pool, usedPercent: 40, percentAtReset: 70 }, 0)).toBe(
		`40\u202f% used. It lasts: about 70\u202f% will be used at the reset.${reset}`,
	);
	expect(forecastText({ ...pool, usedPercent: 40, runsOutAt: 25 * DAY }, 0)).toContain(
		`runs out on ${dateOf(25 * DAY)}, `,
	);
});
