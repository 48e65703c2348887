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
	// All fields in one go: an object that grows field by field takes several times as much memory and time.
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
		status: whole(row.status),
		answered: known(row.answered, text),
		reason: known(row.reason, text),
		conversation: known(row.conversation, text),
		runId: known(row.runId, text),
		errorKind: known(row.errorKind, text),
		tools: known(row.tools, text),
		requestId: known(row.requestId, text),
		client: known(row.client, text),
		firstTokenMs: known(row.firstTokenMs, whole),
		sentMs: known(row.sentMs, whole),
		firstThinkingMs: known(row.firstThinkingMs, whole),
		firstTextMs: known(row.firstTextMs, whole),
		firstCallMs: known(row.firstCallMs, whole),
		waitedMs: known(row.waitedMs, whole),
		gatewayUs: known(row.gatewayUs, whole),
		systemTokens: known(row.systemTokens, whole),
		toolTokens: known(row.toolTokens, whole),
		historyTokens: known(row.historyTokens, whole),
		resultTokens: known(row.resultTokens, whole),
		imageTokens: known(row.imageTokens, whole),
		messageTokens: known(row.messageTokens, whole),
		webSearches: known(row.webSearches, whole),
		pool: row.pool,
		warnings: row.warnings === undefined ? undefined : text(row.warnings, LONGEST_WARNINGS),
	};
}

const known = <T>(value: T | undefined, tidy: (value: T) => T): T | undefined =>
	value === undefined ? undefined : tidy(value);

const whole = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0);

/** Plain text is stored as it is. */
const PLAIN = /^[\x20-\x7e]*$/;

/** To UTF-8 and back, so that half a surrogate pair becomes U+FFFD in every store, not only in some. */
function text(value: string, longest = LONGEST_TEXT): string {
	const short = value.slice(0, longest);
	return PLAIN.test(short) ? short : Buffer.from(short).toString().replaceAll("\0", "\ufffd");
}
