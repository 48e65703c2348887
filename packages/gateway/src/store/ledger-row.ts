import type { RequestOrigin, TurnFigures } from "../observe/facts.ts";

/** What is kept of a turn that has ended, for charts and for `cursorwire usage`. It never contains text. */
export interface LedgerRow extends TurnFigures, Partial<Pick<RequestOrigin, "requestId" | "client">> {}

const LONGEST_TEXT = 256;
const LONGEST_WARNINGS = 1_024;

/**
 * A row that any store accepts, without anything that is not part of one. The model's name comes from the client and
 * the numbers are measured: a name of a megabyte or a NaN must not make the whole batch fail.
 */
export function tidyRow(row: LedgerRow): LedgerRow {
	const tidy: LedgerRow = {
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
		status: whole(row.status),
	};
	// By name, because fields that are chosen by a loop take several times as long.
	if (row.answered !== undefined) tidy.answered = text(row.answered);
	if (row.reason !== undefined) tidy.reason = text(row.reason);
	if (row.conversation !== undefined) tidy.conversation = text(row.conversation);
	if (row.runId !== undefined) tidy.runId = text(row.runId);
	if (row.errorKind !== undefined) tidy.errorKind = text(row.errorKind);
	if (row.tools !== undefined) tidy.tools = text(row.tools);
	if (row.requestId !== undefined) tidy.requestId = text(row.requestId);
	if (row.client !== undefined) tidy.client = text(row.client);
	if (row.firstTokenMs !== undefined) tidy.firstTokenMs = whole(row.firstTokenMs);
	if (row.sentMs !== undefined) tidy.sentMs = whole(row.sentMs);
	if (row.firstThinkingMs !== undefined) tidy.firstThinkingMs = whole(row.firstThinkingMs);
	if (row.firstTextMs !== undefined) tidy.firstTextMs = whole(row.firstTextMs);
	if (row.firstCallMs !== undefined) tidy.firstCallMs = whole(row.firstCallMs);
	if (row.waitedMs !== undefined) tidy.waitedMs = whole(row.waitedMs);
	if (row.gatewayUs !== undefined) tidy.gatewayUs = whole(row.gatewayUs);
	if (row.systemTokens !== undefined) tidy.systemTokens = whole(row.systemTokens);
	if (row.toolTokens !== undefined) tidy.toolTokens = whole(row.toolTokens);
	if (row.historyTokens !== undefined) tidy.historyTokens = whole(row.historyTokens);
	if (row.resultTokens !== undefined) tidy.resultTokens = whole(row.resultTokens);
	if (row.imageTokens !== undefined) tidy.imageTokens = whole(row.imageTokens);
	if (row.messageTokens !== undefined) tidy.messageTokens = whole(row.messageTokens);
	if (row.webSearches !== undefined) tidy.webSearches = whole(row.webSearches);
	if (row.pool !== undefined) tidy.pool = row.pool;
	if (row.warnings !== undefined) tidy.warnings = text(row.warnings, LONGEST_WARNINGS);
	return tidy;
}

const whole = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0);

/** Plain text is stored as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** To UTF-8 and back, so that half a surrogate pair becomes U+FFFD in every store, not only in some. */
function text(value: string, longest = LONGEST_TEXT): string {
	const short = value.slice(0, longest);
	return PLAIN.test(short) ? short : Buffer.from(short).toString().replaceAll("\0", "\ufffd");
}
