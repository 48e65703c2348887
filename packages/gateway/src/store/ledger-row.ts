import type { LedgerRow } from "./store.ts";

const LONGEST_TEXT = 256;

/**
 * A row that any store accepts. The model's name comes from the client and the numbers are measured: a name of a
 * megabyte or a NaN must not make the whole batch fail.
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

/** Plain text is stored as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** To UTF-8 and back, so that half a surrogate pair becomes U+FFFD in every store, not only in some. */
function text(value: string): string {
	const short = value.slice(0, LONGEST_TEXT);
	return PLAIN.test(short) ? short : Buffer.from(short).toString().replaceAll("\0", "\ufffd");
}
