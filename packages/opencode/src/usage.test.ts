import { expect, it } from "vitest";
import { UsageNotices } from "./usage.ts";

const at = (auto: number | null, api: number | null = null) => ({
	pools: [
		{ name: "auto", used_percent: auto, resets_at: "2026-12-01T00:00:00.000Z" },
		{ name: "api", used_percent: api, resets_at: null },
	],
});

it("tells of each step of a pool once, and again in the next period", () => {
	const notices = new UsageNotices();
	expect(notices.next(at(49.9))).toBeUndefined();
	expect(notices.next(at(50.2))).toEqual({
		text: "50% of the included usage for Auto and Composer is used, until 2026-12-01.",
		isUrgent: false,
	});
	expect(notices.next(at(79))).toBeUndefined();
	expect(notices.next(at(96, 81))).toEqual({
		text: "96% of the included usage for Auto and Composer is used, until 2026-12-01. 81% of the included usage for other models is used.",
		isUrgent: true,
	});
	expect(notices.next(at(96, 81))).toBeUndefined();
	expect(notices.next(at(2, 1))).toBeUndefined();
	expect(notices.next(at(51, 1))?.isUrgent).toBe(false);
});

it("says nothing where Cursor says nothing", () => {
	expect(new UsageNotices().next({})).toBeUndefined();
	expect(new UsageNotices().next(at(null))).toBeUndefined();
});
