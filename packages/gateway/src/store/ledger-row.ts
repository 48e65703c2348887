import type { LedgerRow } from "./store.ts";

const LONGEST_TEXT = 256;

/**
 * A row that any store can take. Its model is whatever the client wrote, and its numbers are measured: a megabyte of
 * name or a NaN must not cost the batch it is written with.
 */
export function tidyRow(row: LedgerRow): LedgerRow {
	return {
		at: whole(row.at),
		caller: text(row.caller),
		dialect: text(row.dialect),
		model: text(row.model),
		path: text(row.path),
		inputTokens: whole(row.inputTokens),
		outputTokens: whole(row.outputTokens),
		cachedTokens: whole(row.cachedTokens),
		reasoningTokens: whole(row.reasoningTokens),
		latencyMs: whole(row.latencyMs),
		...(row.firstTokenMs !== undefined && { firstTokenMs: whole(row.firstTokenMs) }),
		status: whole(row.status),
		...(row.errorKind !== undefined && { errorKind: text(row.errorKind) }),
	};
}

const whole = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0);

/** Through UTF-8 and back: half a surrogate pair becomes U+FFFD in every store, not in some of them. */
function text(value: string): string {
	return Buffer.from(value.slice(0, LONGEST_TEXT)).toString().replaceAll("\0", "\ufffd");
}
