import type { SpendLimit } from "../store/spend/spend-limit.ts";
import { limitName, raiseCommand, resetText, usedText } from "./limit-words.ts";
import type { Span } from "./windows.ts";

/** Percent of a limit at which its owner is warned; the last one only where the limit stops nothing. */
const LEVELS = [50, 80, 95, 100];

/** The highest threshold that was crossed on the way from one figure to another. */
export function crossed({ amount, mode }: SpendLimit, before: number, after: number): number | undefined {
	const reached = (level: number) => (level / 100) * amount;
	return LEVELS.findLast(
		(level) => before < reached(level) && after >= reached(level) && (level < 100 || mode === "watch"),
	);
}

/** What the client and the log are told. */
export function warningText(limit: SpendLimit, span: Span, used: number, level: number): string {
	const raise = `\`${raiseCommand(limit)}\` raises it`;
	const also = limit.mode === "watch" ? "it stops nothing" : raise;
	return `limit ${limit.id} (${limitName(limit)}) is at ${level}%: ${usedText(limit, used)}, ${resetText(span)}, ${also}`;
}
