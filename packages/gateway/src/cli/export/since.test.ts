import { expect, it } from "vitest";
import { SettingError } from "../../config/settings.ts";
import { sinceOf } from "./since.ts";

const NOW = new Date(2026, 10, 15, 12).getTime();
const HOUR = 3_600_000;

it.each([
	["7d", NOW - 7 * 24 * HOUR],
	["12h", NOW - 12 * HOUR],
	["2w", NOW - 14 * 24 * HOUR],
	["0d", NOW],
	["2026-11-01", new Date(2026, 10, 1).getTime()],
	["2026-11-15", new Date(2026, 10, 15).getTime()],
	["2026-11-01T10:30", new Date(2026, 10, 1, 10, 30).getTime()],
	["2026-11-01T10:30:00Z", Date.UTC(2026, 10, 1, 10, 30)],
	["2026-11-01T10:30:00.123+02:00", Date.UTC(2026, 10, 1, 8, 30, 0, 123)],
])("%s", (text, since) => {
	expect(sinceOf(text, NOW)).toBe(since);
});

it.each([
	"",
	"7",
	"d",
	"7y",
	"-7d",
	"1.5d",
	"yesterday",
	"2026-02-31",
	"2026-13-01",
	"2026-11-1",
	"15.11.2026",
	"1e3d",
])("refuses %j", (text) => {
	expect(() => sinceOf(text, NOW)).toThrow(SettingError);
	expect(() => sinceOf(text, NOW)).toThrow(/^--since: takes a date such as 2026-11-01/);
});

it("refuses what is still to come", () => {
	expect(() => sinceOf("2026-11-16", NOW)).toThrow("--since: 2026-11-16 is in the future");
});
