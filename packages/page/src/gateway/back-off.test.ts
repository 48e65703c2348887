import { expect, it } from "vitest";
import { backOff } from "./back-off.ts";

it("waits longer after each failure, up to a quarter of a minute", () => {
	expect([1, 2, 3, 4, 5, 6, 60].map(backOff)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000]);
});
