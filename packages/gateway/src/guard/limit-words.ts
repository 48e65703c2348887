import type { SpendLimit } from "../store/spend/spend-limit.ts";
import { amountText, limitText } from "./limit-text.ts";
import { localTime, type Span } from "./windows.ts";

/** How much of a limit is used, as a text: `16 of 20 turns used`. */
export function usedText({ amount, unit, pool }: SpendLimit, used: number): string {
	const of = pool ? ` of the ${pool} pool` : "";
	const [number] = amountText(Math.round(used * 100) / 100, unit).split(" ");
	return `${number} of ${amountText(amount, unit)}${of} used${pool ? ", as Cursor told last" : ""}`;
}

/** The limit as a text, with what it is about. */
export function limitName(limit: SpendLimit): string {
	return `${limitText(limit)}${limit.scope.key === undefined ? "" : " for this key"}`;
}

export const resetText = ({ end }: Span): string =>
	end === undefined ? "it does not begin anew by itself" : `it begins anew at ${localTime(end)}`;

/** The command that raises a limit, with twice its amount as an example. */
export function raiseCommand({ id, amount, unit }: SpendLimit): string {
	const more = unit === "percent" ? Math.min(100, amount * 2 || 10) : amount * 2 || 100;
	return `cursorwire limits raise ${id} ${more}`;
}
