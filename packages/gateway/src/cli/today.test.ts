import { expect, it } from "vitest";
import { callerOfKey } from "../access/caller.ts";
import type { LedgerTotals, StoredKey } from "../store/store.ts";
import { todayRows } from "./today.ts";

const key = (id: string, name: string): StoredKey => ({ id, name, hash: "", createdAt: 0 });
const KEYS = [key("1", "default"), key("2", "opencode")];
const row = (caller: string, model: string, requests: number, day = "2026-11-15"): LedgerTotals => ({
	day,
	caller,
	model,
	requests,
	failures: 1,
	inputTokens: 10 * requests,
	outputTokens: requests,
	cachedTokens: 0,
	reasoningTokens: 0,
});

it("adds up by client and model, over the days of UTC that today is part of", () => {
	const [owner, opencode] = KEYS.map((record) => callerOfKey(record).id) as [string, string];
	const usage = [
		row(owner, "auto", 1),
		row(opencode, "auto", 2, "2026-11-14"),
		row(opencode, "auto", 3),
		row(opencode, "gpt-5.4", 2),
		row("anonymous", "auto", 1),
		row("credential-abc", "auto", 1),
	];
	expect(todayRows(usage, KEYS).map(({ client, model, requests }) => [client, model, requests])).toEqual([
		["opencode", "auto", 5],
		["opencode", "gpt-5.4", 2],
		["default", "auto", 1],
		["without a key", "auto", 1],
		["a Cursor credential", "auto", 1],
	]);
	expect(todayRows(usage, KEYS)[0]).toMatchObject({ failures: 2, inputTokens: 50, outputTokens: 5 });
});
