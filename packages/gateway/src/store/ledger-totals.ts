import type { LedgerRow } from "./ledger-row.ts";
import type { LedgerTotals } from "./store.ts";

const SUMS = ["requests", "failures", "inputTokens", "outputTokens", "cachedTokens", "reasoningTokens"] as const;

/** Adds up rows with the same day, caller and model; the result is ordered by these. */
export function mergeTotals(rows: Iterable<LedgerTotals>): LedgerTotals[] {
	const groups = new Map<string, LedgerTotals>();
	for (const row of rows) {
		const group = JSON.stringify([row.day, row.caller, row.model]);
		const sum = groups.get(group);
		if (!sum) groups.set(group, { ...row });
		else for (const name of SUMS) sum[name] += row[name];
	}
	return [...groups.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

/** One request as totals. */
export function totalsOf(row: LedgerRow): LedgerTotals {
	return {
		day: new Date(row.at).toISOString().slice(0, 10),
		caller: row.caller,
		model: row.model,
		requests: 1,
		failures: row.errorKind === undefined ? 0 : 1,
		inputTokens: row.inputTokens,
		outputTokens: row.outputTokens,
		cachedTokens: row.cachedTokens,
		reasoningTokens: row.reasoningTokens,
	};
}
