import { expect, it } from "vitest";
import { freshFor } from "./fresh.ts";

it("reads once for a while, and again after it or when the clock was set back", async () => {
	let at = 0;
	let reads = 0;
	const read = freshFor(
		1_000,
		async () => ++reads,
		() => at,
	);
	expect(await Promise.all([read(), read()])).toEqual([1, 1]);
	at = 1_000;
	expect(await read()).toBe(1);
	at = 1_001;
	expect(await read()).toBe(2);
	at = -5_000;
	expect(await read()).toBe(3);
});

it("does not repeat a failure", async () => {
	let reads = 0;
	const read = freshFor(
		1_000,
		async () => {
			if (++reads === 1) throw new Error("not now");
			return reads;
		},
		() => 0,
	);
	await expect(read()).rejects.toThrow("not now");
	expect(await read()).toBe(2);
});
