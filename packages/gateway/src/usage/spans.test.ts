import { expect, it } from "vitest";
import { daysBegin, lastDays, spansAt } from "./spans.ts";

const DAY = 86_400_000;
const NOW = new Date(2026, 10, 15, 12, 30).getTime();

it("begins today at midnight, the week seven days ago and the period where Cursor says", () => {
	const periodStart = NOW - 3 * DAY;
	expect(spansAt(NOW, { periodStart })).toEqual({
		today: new Date(2026, 10, 15).getTime(),
		week: NOW - 7 * DAY,
		period: periodStart,
	});
});

it.each([
	["a month before the reset", { resetsAt: Date.UTC(2026, 10, 20, 8) }, Date.UTC(2026, 9, 20, 8)],
	["where that month is shorter", { resetsAt: Date.UTC(2026, 11, 1) - DAY }, Date.UTC(2026, 9, 30)],
	["where the month before has no such day", { resetsAt: Date.UTC(2026, 11, 31) - 16 * DAY }, Date.UTC(2026, 10, 15)],
	["thirty days ago where nothing is known", {}, NOW - 30 * DAY],
	["thirty days ago where it would begin later", { periodStart: NOW + DAY }, NOW - 30 * DAY],
])("guesses the beginning of the period: %s", (_, quota, period) => {
	expect(spansAt(NOW, quota).period).toBe(period);
});

it("counts a reset on the 31st from the last day of a shorter month", () => {
	const now = Date.UTC(2026, 2, 10);
	expect(spansAt(now, { resetsAt: Date.UTC(2026, 2, 31) }).period).toBe(Date.UTC(2026, 1, 28));
});

it("names the last days, over the end of a month and of a year", () => {
	expect(lastDays(new Date(2026, 2, 2, 23, 59).getTime(), 4)).toEqual([
		"2026-02-27",
		"2026-02-28",
		"2026-03-01",
		"2026-03-02",
	]);
	expect(lastDays(new Date(2027, 0, 1).getTime(), 2)).toEqual(["2026-12-31", "2027-01-01"]);
	expect(daysBegin(new Date(2027, 0, 1, 5).getTime(), 2)).toBe(new Date(2026, 11, 31).getTime());
});
