import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMIT_WINDOWS, type LimitWindow } from "../store/spend/spend-limit.ts";
import { localTime, spanAt } from "./windows.ts";

const HOUR = 3_600_000;
const zone = process.env.TZ;
const inZone = (name: string | undefined) => {
	// Removing the variable is the only way back to the zone of the machine.
	if (name === undefined) delete process.env.TZ;
	else process.env.TZ = name;
};
beforeEach(() => inZone("Europe/Berlin"));
afterEach(() => inZone(zone));

const shown = (window: LimitWindow, at: string) => {
	const { start, end } = spanAt(window, Date.parse(at));
	return [localTime(start), end === undefined ? "never" : localTime(end)];
};

describe("windows", () => {
	it.each<[LimitWindow, string, string[]]>([
		["minute", "2026-11-18T20:15:42Z", ["2026-11-18 21:15", "2026-11-18 21:16"]],
		["hour", "2026-11-18T20:15:42Z", ["2026-11-18 21:00", "2026-11-18 22:00"]],
		["day", "2026-11-18T20:15:42Z", ["2026-11-18 00:00", "2026-11-19 00:00"]],
		["day", "2026-11-18T22:59:59.999Z", ["2026-11-18 00:00", "2026-11-19 00:00"]],
		["day", "2026-11-18T23:00:00Z", ["2026-11-19 00:00", "2026-11-20 00:00"]],
		["week", "2026-11-18T20:15:42Z", ["2026-11-16 00:00", "2026-11-23 00:00"]],
		["week", "2026-11-22T22:59:59Z", ["2026-11-16 00:00", "2026-11-23 00:00"]],
		["week", "2026-11-15T23:00:00Z", ["2026-11-16 00:00", "2026-11-23 00:00"]],
		["period", "2026-12-18T20:15:42Z", ["2026-12-01 00:00", "2027-01-01 00:00"]],
	])("a %s around %s", (window, at, span) => {
		expect(shown(window, at)).toEqual(span);
	});

	it("a task never begins anew", () => {
		expect(spanAt("ever", Date.now())).toEqual({ start: 0 });
	});

	it("the billing period counts while it lasts, and after it the month", () => {
		const period = { start: Date.parse("2026-11-05T09:00Z"), end: Date.parse("2026-12-05T09:00Z") };
		expect(spanAt("period", Date.parse("2026-11-18T20:15Z"), period)).toBe(period);
		expect(localTime(spanAt("period", period.end, period).start)).toBe("2026-12-01 00:00");
	});
});

describe("daylight saving", () => {
	const lengths = (...days: string[]) =>
		days.map((day) => {
			const { start, end } = spanAt("day", Date.parse(day));
			return (end! - start) / HOUR;
		});

	it("makes a day shorter or longer, and the next one begins at midnight again", () => {
		expect(lengths("2026-03-28T12:00Z", "2026-03-29T12:00Z", "2026-03-30T12:00Z")).toEqual([24, 23, 24]);
		expect(lengths("2026-10-24T12:00Z", "2026-10-25T12:00Z", "2026-10-26T12:00Z")).toEqual([24, 25, 24]);
	});

	it("gives the hour that comes twice two windows", () => {
		const first = spanAt("hour", Date.parse("2026-10-25T00:30Z"));
		const second = spanAt("hour", Date.parse("2026-10-25T01:30Z"));
		expect([localTime(first.start), localTime(second.start)]).toEqual(["2026-10-25 02:00", "2026-10-25 02:00"]);
		expect(second.start - first.start).toBe(HOUR);
	});

	it("a zone that is half an hour off has hours of its own", () => {
		inZone("Asia/Kolkata");
		expect(shown("hour", "2026-11-18T20:15:00Z")).toEqual(["2026-11-19 01:00", "2026-11-19 02:00"]);
	});
});

it.each(["Europe/Berlin", "America/New_York", "Asia/Beirut", "Australia/Lord_Howe", "Pacific/Apia", "UTC"])(
	"in %s every moment of a year is in exactly one window of each kind",
	(name) => {
		inZone(name);
		for (const window of LIMIT_WINDOWS.filter((each) => each !== "ever" && each !== "minute")) {
			let at = Date.parse("2026-01-01T00:00Z");
			const last = Date.parse("2027-01-10T00:00Z");
			for (let steps = 0; at < last; steps++) {
				const { start, end } = spanAt(window, at);
				expect(start <= at && end! > at, `${window} ${localTime(at)}`).toBe(true);
				expect(spanAt(window, end! - 1), `${window} before ${localTime(end!)}`).toEqual({ start, end });
				expect(spanAt(window, end!).start, `${window} at ${localTime(end!)}`).toBe(end);
				at = end!;
				expect(steps).toBeLessThan(20_000);
			}
		}
	},
);
