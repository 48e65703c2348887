import { LIMIT_MODES, type LimitMode, type LimitWindow, type SpendLimit } from "../store/spend/spend-limit.ts";

// Limits as people write them:
//
//   AMOUNT UNIT [/WINDOW] [on MODELS] [per conversation] [watch|finish]
//
//   20 turns/day · 200k tokens/hour · 5 turns · 1.5M tokens/week on claude-* · 30 turns per conversation
//   80% of api · 500 cents of auto/week · 20 turns/day watch

/** What a text says of a limit. */
export type LimitTerms = Pick<SpendLimit, "amount" | "unit" | "pool" | "window" | "mode"> & {
	scope: Omit<SpendLimit["scope"], "key">;
};

/** A text that is no limit; the message is the end of a sentence. */
export class LimitTextError extends Error {
	override readonly name = "LimitTextError";
}

const LIMIT_EXAMPLES =
	'such as "20 turns/day", "200k tokens/hour", "5 turns", "1M tokens/week on claude-*", "30 turns per conversation" or "80% of api" (by the minute, hour, day, week or billing period, or without end)';

const FORM =
	/^(?<amount>\d+(?:[.,_]\d+)*)\s*(?<scale>[km])?\s*(?<unit>turns?|tokens?|cents?|%|percent)(?:\s+of\s+(?<pool>api|auto))?(?:\s*(?:\/|\bper\b|\ba\b)\s*(?<window>minute|min|hour|h|day|d|week|w|period))?(?:\s+on\s+(?<model>[^\s,;]{1,200}))?(?<each>\s+(?:per|\/)\s*conversation)?(?:[\s,]+(?<mode>stop|watch|finish))?$/i;

const WINDOWS: Readonly<Record<string, LimitWindow>> = { min: "minute", h: "hour", d: "day", w: "week" };
const SCALES: Readonly<Record<string, number>> = { k: 1_000, m: 1_000_000 };
/** Larger than anything that can be counted in a window, and exact in every store. */
const LARGEST = 1e12;

/** Reads a limit. Throws a `LimitTextError` that says what is wrong. */
export function parseLimit(text: string): LimitTerms {
	const parts = FORM.exec(text.trim())?.groups;
	if (!parts) throw new LimitTextError(`takes a limit ${LIMIT_EXAMPLES}, not "${text}"`);
	const unit = unitOf(parts.unit!);
	const amount = amountOf(parts.amount!, parts.scale);
	const pool = parts.pool?.toLowerCase() as SpendLimit["pool"];
	const isShare = unit === "percent" || unit === "cents";
	const window = windowOf(parts.window) ?? (isShare ? "period" : "ever");
	if (isShare && !pool) throw new LimitTextError(`names no pool: "${text}" should say "of api" or "of auto"`);
	if (!isShare && pool) throw new LimitTextError(`counts ${unit} itself, so "of ${pool}" has no meaning in "${text}"`);
	if (isShare && parts.each)
		throw new LimitTextError(`cannot tell how much of a pool one conversation used ("${text}")`);
	if (isShare && window === "minute")
		throw new LimitTextError(`cannot be by the minute: Cursor tells its figures late`);
	const fits = amount <= (unit === "percent" ? 100 : LARGEST) && (isShare || (Number.isInteger(amount) && amount >= 1));
	if (!fits) throw new LimitTextError(`takes ${AMOUNTS[unit]}, not "${text}"`);
	return {
		amount,
		unit,
		...(pool && { pool }),
		window,
		mode: (LIMIT_MODES as readonly string[]).includes(parts.mode?.toLowerCase() ?? "")
			? (parts.mode!.toLowerCase() as LimitMode)
			: "stop",
		scope: { ...(parts.model && { model: parts.model }), ...(parts.each && { perConversation: true }) },
	};
}

const AMOUNTS = {
	turns: "a whole number of turns, at least 1",
	tokens: "a whole number of tokens, at least 1",
	percent: "0 to 100 percent",
	cents: "a number of cents",
} as const satisfies Record<SpendLimit["unit"], string>;

function unitOf(text: string): SpendLimit["unit"] {
	const word = text.toLowerCase();
	if (word === "%" || word === "percent") return "percent";
	return `${word.replace(/s$/, "")}s` as SpendLimit["unit"];
}

/** Underscores group digits, and a comma does so where three digits follow it. */
function amountOf(digits: string, scale: string | undefined): number {
	const number = Number(
		digits
			.replaceAll("_", "")
			.replace(/,(?=\d{3}(\D|$))/g, "")
			.replace(",", "."),
	);
	if (!Number.isFinite(number)) throw new LimitTextError(`takes a number, not "${digits}"`);
	return Math.round(number * (SCALES[scale?.toLowerCase() ?? ""] ?? 1) * 1e6) / 1e6;
}

const windowOf = (text: string | undefined): LimitWindow | undefined =>
	text === undefined ? undefined : (WINDOWS[text.toLowerCase()] ?? (text.toLowerCase() as LimitWindow));

/** The limit in the form in which it can be typed again, without its key. */
export function limitText({ unit, pool, window, scope, mode, ...limit }: LimitTerms | SpendLimit): string {
	const of = pool ? ` of ${pool}` : "";
	const each = window === "ever" ? "" : `/${window}`;
	const on = scope.model === undefined ? "" : ` on ${scope.model}`;
	const apart = scope.perConversation ? " per conversation" : "";
	return `${amountText(limit.amount, unit)}${of}${each}${on}${apart}${mode === "stop" ? "" : ` ${mode}`}`;
}

/** `20 turns`, `200k tokens`, `80%`. */
export function amountText(amount: number, unit: SpendLimit["unit"]): string {
	if (unit === "percent") return `${shortNumber(amount)}%`;
	return `${shortNumber(amount)} ${amount === 1 ? unit.slice(0, -1) : unit}`;
}

function shortNumber(amount: number): string {
	if (amount >= 1e6 && amount % 1e4 === 0) return `${amount / 1e6}M`;
	if (amount >= 1e4 && amount % 100 === 0) return `${amount / 1e3}k`;
	return String(Math.round(amount * 100) / 100);
}
