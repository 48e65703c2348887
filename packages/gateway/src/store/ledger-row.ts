import type { RequestOrigin, TurnFigures } from "../observe/facts.ts";

/** What is kept of a turn that has ended, for charts and for `cursorwire usage`. It never contains text. */
export interface LedgerRow extends TurnFigures, Partial<Pick<RequestOrigin, "requestId" | "client">> {}

const LONGEST_TEXT = 256;
const LONGEST_WARNINGS = 1_024;

type FieldsOf<T> = {
	[Field in keyof LedgerRow]-?: LedgerRow[Field] extends T | undefined ? Field : never;
}[keyof LedgerRow];

/** Texts that a row may lack. */
const TEXTS = [
	"answered",
	"reason",
	"conversation",
	"runId",
	"errorKind",
	"tools",
	"requestId",
	"client",
] as const satisfies FieldsOf<string>[];

/** Numbers that a row may lack. */
const NUMBERS = [
	"firstTokenMs",
	"sentMs",
	"firstThinkingMs",
	"firstTextMs",
	"firstCallMs",
	"waitedMs",
	"gatewayUs",
	"systemTokens",
	"toolTokens",
	"historyTokens",
	"resultTokens",
	"imageTokens",
	"messageTokens",
	"webSearches",
] as const satisfies FieldsOf<number>[];

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
	for (const field of TEXTS) {
		const value = row[field];
		if (value !== undefined) tidy[field] = text(value);
	}
	for (const field of NUMBERS) {
		const value = row[field];
		if (value !== undefined) tidy[field] = whole(value);
	}
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
