import { expect, it } from "vitest";
import { ago, DAY, dayTime } from "./times.ts";

it("says how far away a time is, in the largest unit that fits", () => {
	const unit = (value: number, name: Intl.RelativeTimeFormatUnit) =>
		new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" }).format(value, name);
	expect(ago(0, 40_000)).toBe(unit(-40, "second"));
	expect(ago(0, 180_000)).toBe(unit(-3, "minute"));
	expect(ago(1_200, 0)).toBe(unit(0, "second"));
	expect(ago(5 * DAY, 0)).toBe(unit(5, "day"));
});

it("keeps a day of the ledger on its day", () => {
	expect(new Date(dayTime("2026-03-29")).getDate()).toBe(29);
});
