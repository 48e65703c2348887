import { expect, it } from "vitest";
import { moved } from "./keys.ts";

it("moves within the list", () => {
	expect(moved(-1, "next", 10)).toBe(0);
	expect(moved(0, "previous", 10)).toBe(0);
	expect(moved(9, "next", 10)).toBe(9);
	expect(moved(3, "page-down", 10)).toBe(9);
	expect(moved(50, "page-up", 100)).toBe(30);
	expect(moved(3, "last", 100_000)).toBe(99_999);
	expect(moved(3, "first", 10)).toBe(0);
});
