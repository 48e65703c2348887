// Rows as a busy year would leave them, made from a number so that every sum can be told beforehand. Imports nothing of
// the test runner: the benchmark uses them, too.
import type { LedgerRow } from "../../src/store/ledger-row.ts";

const HOUR = 3_600_000;
const RUNGS = ["new", "parked", "checkpoint", "rebuild"] as const;

/** The row with this number, of so many, spread over the last 25 days. */
export function manyRow(index: number, count: number, now: number): LedgerRow {
	const isError = index % 50 === 0;
	// A conversation is one client's, and stays with its model.
	const conversation = index % 1_000;
	return {
		at: now - Math.floor(((count - index) / count) * 25 * 24 * HOUR),
		caller: `caller-${conversation % 7}`,
		dialect: "chat",
		model: `model-${conversation % 11}`,
		...(!isError && { answered: `model-${conversation % 11}` }),
		path: RUNGS[index % 4]!,
		reason: "no history",
		conversation: `conversation-${conversation}`,
		inputTokens: 1_000 + (index % 100),
		outputTokens: 50,
		cachedTokens: 10,
		reasoningTokens: 5,
		latencyMs: 1_000 + (index % 5_000),
		...(!isError && { firstTokenMs: 100 + (index % 900), gatewayUs: 1_500 }),
		status: isError ? 502 : 200,
		...(isError && { errorKind: "upstream-error" }),
	};
}

/** All of them, in batches. */
export function* manyRows(count: number, now: number, batch = 2_000): Generator<LedgerRow[], void, undefined> {
	for (let first = 0; first < count; first += batch) {
		const length = Math.min(batch, count - first);
		yield Array.from({ length }, (_, index) => manyRow(first + index, count, now));
	}
}
