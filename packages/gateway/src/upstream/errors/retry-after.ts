import { ERROR_KINDS, type ErrorKind } from "../../turn/error-kinds.ts";

const LONGEST = 3600;

/**
 * Seconds that a `retry-after` asks for, within limits, if a retry makes sense at all. Dates are not parsed, because no
 * server of Cursor has been seen to send one.
 */
export function retryAfter(kind: ErrorKind, text: string | undefined): number | undefined {
	if (ERROR_KINDS[kind].retry === "never" || text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
	return Math.min(Math.max(Number(text), 1), LONGEST);
}
