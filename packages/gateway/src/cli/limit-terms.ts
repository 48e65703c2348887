import { SettingError } from "../config/settings.ts";
import { type LimitTerms, LimitTextError, parseLimit } from "../guard/limit-text.ts";

/** A limit as it was typed. `name` is the option or the argument that the error is about. */
export function limitTerms(text: string, name: string): LimitTerms {
	try {
		return parseLimit(text);
	} catch (error) {
		if (error instanceof LimitTextError) throw new SettingError(`${name}: ${error.message}`);
		throw error;
	}
}

/** Another amount of a limit: a number, or the amount with its unit. */
export function limitAmount(text: string, { unit, pool }: Pick<LimitTerms, "unit" | "pool">): number {
	const isBare = /^[\d.,_]+\s*[km]?$/i.test(text.trim());
	const whole = `${text}${isBare ? ` ${unit}` : ""}${pool ? ` of ${pool}` : ""}`;
	const terms = limitTerms(whole, "limits raise");
	if (terms.unit !== unit) throw new SettingError(`limits raise: the limit counts ${unit}, not ${terms.unit}`);
	return terms.amount;
}
