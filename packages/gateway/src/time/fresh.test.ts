import { expect, it } from "vitest";
import { freshByCost, freshFor } from "./fresh.ts";

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

it("repeats a value longer if it took long to read, within limits", async () => {
	let at = 0;
	let reads = 0;
	let tookMs = 0;
	const read = freshByCost(
		{ atLeastMs: 1_000, atMostMs: 30_000 },
		async () => {
			await undefined;
			at += tookMs;
			return ++reads;
		},
		() => at,
	);
	for (const [took, freshMs] of [
		[5, 1_000],
		[400, 4_000],
		[9_000, 30_000],
	] as const) {
		tookMs = took;
		const value = await read();
		at += freshMs;
		expect(await read()).toBe(value);
		at += 1;
	}
	expect(reads).toBe(3);
});

it("reads once for all who ask while it is being read", async () => {
	let at = 0;
	let finish = (_: string) => {};
	const read = freshFor(
		10,
		() => new Promise<string>((resolve) => (finish = resolve)),
		() => at,
	);
	const first = read();
	at = 1_000;
	const second = read();
	finish("once");
	expect(await Promise.all([first, second])).toEqual(["once", "once"]);
});
