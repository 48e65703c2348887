/** Figures as the browser's language writes them. */

const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat(undefined, { notation: "compact", maximumSignificantDigits: 3 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });
const money = new Intl.NumberFormat(undefined, { style: "currency", currency: "USD" });

export const NOTHING = "–";

export const exact = (value: number): string => whole.format(value);

/** 1,234,567 as 1.23M. */
export const short = (value: number): string => (value < 10_000 ? whole.format(value) : compact.format(value));

export const percent = (value: number): string => `${oneDigit.format(value)}\u202f%`;

export const dollars = (cents: number): string => money.format(cents / 100);

export const rate = (perSecond: number): string =>
	`${perSecond < 10 ? oneDigit.format(perSecond) : exact(perSecond)}/s`;

/** The part of a whole, as a percentage; nothing of nothing is nothing. */
export const share = (part: number, all: number): number => (all === 0 ? 0 : (part / all) * 100);

export function duration(ms: number): string {
	if (ms < 0) return `−${duration(-ms)}`;
	if (ms < 1) return `${oneDigit.format(ms)}\u202fms`;
	if (ms < 1000) return `${whole.format(ms)}\u202fms`;
	if (ms < 60_000) return `${oneDigit.format(ms / 1000)}\u202fs`;
	const seconds = Math.floor(ms / 1000);
	if (seconds < 3600) return `${Math.floor(seconds / 60)}\u202fm ${pad(seconds % 60)}\u202fs`;
	return `${Math.floor(seconds / 3600)}\u202fh ${pad(Math.floor((seconds % 3600) / 60))}\u202fm`;
}

/** For a clock that ticks: whole seconds, so that its width stays. */
export function clock(ms: number): string {
	const seconds = Math.max(0, Math.floor(ms / 1000));
	const minutes = Math.floor(seconds / 60);
	if (minutes < 60) return `${minutes}:${pad(seconds % 60)}`;
	return `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(seconds % 60)}`;
}

const pad = (value: number): string => String(value).padStart(2, "0");
