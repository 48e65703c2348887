import type { LedgerReads, StoredRow } from "../store/ledger-reads.ts";

// What `GET /v1/cursorwire/spent` says. `cursorwire launch` reads it, from gateways that may be newer: names and
// meanings stay, and fields may be added.

export interface Spent {
	turns: number;
	errors: number;
	/** Requests that a limit refused before anything was asked of Cursor. They are no turns. */
	refused: number;
	input_tokens: number;
	cached_tokens: number;
	output_tokens: number;
	reasoning_tokens: number;
	/** The longest time from a request to the first word of its reply, or to its error. */
	longest_wait_ms: number;
	/** When the last turn ended, in milliseconds since 1970. */
	last_turn_at: number | null;
}

/** Rows that are held at a time. */
const PAGE_ROWS = 1_000;

/** What one caller used from a moment on, by its rows in the ledger. */
export async function spentBy(
	caller: string,
	since: number,
	ledger: Pick<LedgerReads, "findRows">,
	pageRows = PAGE_ROWS,
): Promise<Spent> {
	const spent: Spent = {
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
	for (let last: StoredRow | undefined; ; ) {
		const { rows } = await ledger.findRows({ caller, since, ...(last && { beforeId: last.id }) }, pageRows);
		for (const row of rows) add(spent, row);
		if (rows.length < pageRows) return spent;
		last = rows.at(-1);
	}
}

function add(spent: Spent, row: StoredRow): void {
	spent.last_turn_at = Math.max(spent.last_turn_at ?? 0, row.at);
	if (isRefusal(row)) return void spent.refused++;
	spent.turns++;
	if (row.errorKind !== undefined) spent.errors++;
	spent.input_tokens += row.inputTokens;
	spent.cached_tokens += row.cachedTokens;
	spent.output_tokens += row.outputTokens;
	spent.reasoning_tokens += row.reasoningTokens;
	spent.longest_wait_ms = Math.max(spent.longest_wait_ms, row.firstTokenMs ?? row.latencyMs);
}

const isRefusal = ({ errorKind, firstTokenMs }: StoredRow): boolean =>
	errorKind?.startsWith("limit-") === true && firstTokenMs === undefined;
