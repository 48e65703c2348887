import { expect, it } from "vitest";
import { wholeDays } from "./whole-days.ts";

const DAY = 86_400;

it("shows whole days, and at least a week", () => {
	expect(wholeDays([20 * DAY])).toEqual([13.5 * DAY, 20.5 * DAY]);
	expect(wholeDays([DAY, 2 * DAY, 30 * DAY])).toEqual([0.5 * DAY, 30.5 * DAY]);
});
