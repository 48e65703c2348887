import type { SpendLimit } from "../store/spend/spend-limit.ts";
import { GatewayError } from "../turn/error.ts";
import { amountText } from "./limit-text.ts";
import { limitName, raiseCommand, resetText, usedText } from "./limit-words.ts";
import type { Span } from "./windows.ts";

/** A limit that keeps a turn from going on. */
export interface Reached {
	limit: SpendLimit;
	span: Span;
	used: number;
	/** What the request needs of it. */
	needed: number;
}

/** The refusal of a turn, or its end in the middle of a reply. `now`: milliseconds since 1970. */
export function limitReached({ limit, span, used, needed }: Reached, now: number): GatewayError {
	const isFull = used >= limit.amount || limit.unit === "turns";
	const need = isFull ? "" : `, and this request needs about ${amountText(needed, limit.unit)}`;
	const message = `The limit of ${limitName(limit)} is reached: ${usedText(limit, used)}${need}; ${resetText(span)}.`;
	const raise = `\`${raiseCommand(limit)}\``;
	if (limit.window === "minute") {
		const retryAfterSeconds = Math.max(1, Math.ceil(((span.end ?? now) - now) / 1000));
		return new GatewayError("limit-rate", message, { retryAfterSeconds, nextStep: `Wait, or raise it with ${raise}.` });
	}
	const nextStep = span.end === undefined ? `Raise it with ${raise}.` : `Raise it with ${raise}, or wait until then.`;
	return new GatewayError("limit-reached", message, { nextStep });
}

/** Nobody knows what was spent of a hard limit, so it is taken as reached. */
export function limitUnknown(limit: SpendLimit, why: string): GatewayError {
	return new GatewayError(
		"limit-unknown",
		`What was spent of the limit of ${limitName(limit)} cannot be read: ${why}. A hard limit lets nothing through then.`,
	);
}
