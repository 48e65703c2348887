import { ERROR_KINDS, type ErrorKind } from "../../turn/error-kinds.ts";

const LONGEST = 3600;

/**
 * Seconds that a `retry-after` asks for, within reason, where a retry has a point at all. A date is not read: no server
 * of Cursor was seen to send one.
 */
export function retryAfter(kind: ErrorKind, text: string | undefined): number | undefined {
	if (ERROR_KINDS[kind].retry === "never" || text === undefined || !/^\d{1,9}$/.test(text)) return undefined;
	return Math.min(Math.max(Number(text), 1), LONGEST);
}
