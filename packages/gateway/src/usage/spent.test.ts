import { expect, it } from "vitest";
import { MemoryStore } from "../store/memory/memory-store.ts";
import { spentBy } from "./spent.ts";

const NOTHING = {
	turns: 0,
	errors: 0,
	refused: 0,
	input_tokens: 0,
	cached_tokens: 0,
	output_tokens: 0,
	reasoning_tokens: 0,
	longest_wait_ms: 0,
	last_turn_at: null,
};

const row = (at: number, changes: object = {}) => ({
	at,
	caller: "mine",
	dialect: "chat",
	model: "auto",
	path: "new",
	inputTokens: 100,
	outputTokens: 10,
	cachedTokens: 40,
	reasoningTokens: 3,
	latencyMs: 900,
	firstTokenMs: 200,
	status: 200,
	...changes,
});

it("adds up the rows of one caller from a moment on, however many pages they fill", async () => {
	const store = new MemoryStore({ now: () => 5_000 });
	expect(await spentBy("mine", 0, store)).toEqual(NOTHING);
	await store.appendLedger([
		row(999),
		row(1_000),
		row(2_000, { caller: "another's", latencyMs: 9_999 }),
		row(3_000, { firstTokenMs: 700 }),
		row(4_000, { firstTokenMs: undefined, status: 502, errorKind: "upstream-reset" }),
		// The first was cut by a limit, the second was refused.
		row(4_001, { status: 402, errorKind: "limit-reached" }),
		row(4_002, { inputTokens: 0, firstTokenMs: undefined, status: 402, errorKind: "limit-reached" }),
	]);
	const all = {
		turns: 4,
		errors: 2,
		refused: 1,
		input_tokens: 400,
		cached_tokens: 160,
		output_tokens: 40,
		reasoning_tokens: 12,
	};
	for (const pageRows of [1, 2, 3, 1_000]) {
		expect(await spentBy("mine", 1_000, store, pageRows)).toEqual({
			...all,
			longest_wait_ms: 900,
			last_turn_at: 4_002,
		});
	}
	expect(await spentBy("nobody", 0, store)).toEqual(NOTHING);
});
