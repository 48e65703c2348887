import type { LedgerNames, RowFilter } from "./ledger-reads.ts";
import { MOST_NAMES } from "./ledger-reads.ts";
import type { LedgerRow } from "./ledger-row.ts";

/** Whether a row is one of those that are wanted, wherever they begin. */
export function matches(row: LedgerRow, filter: RowFilter): boolean {
	const { since, caller, model, path, errorsOnly, slowerThanMs } = filter;
	if (since !== undefined && row.at < since) return false;
	if (caller !== undefined && row.caller !== caller) return false;
	if (model !== undefined && row.model !== model) return false;
	if (path !== undefined && row.path !== path) return false;
	if (errorsOnly && row.errorKind === undefined) return false;
	return slowerThanMs === undefined || row.latencyMs > slowerThanMs;
}

/** Names in alphabetical order, as many as are given at most. */
export const namesOf = (callers: Iterable<string>, models: Iterable<string>): LedgerNames => ({
	callers: [...new Set(callers)].sort().slice(0, MOST_NAMES),
	models: [...new Set(models)].sort().slice(0, MOST_NAMES),
});
