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
