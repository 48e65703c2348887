import type { Warnings } from "../shared/warnings.ts";

/** What becomes of a field that a client sends. `about` is a sentence for the documents. */
export type RequestField = (Honoured | WithoutEffect | Refused | Hint) & { about: string };

/** It does what the API says, or as much of that as `about` says. */
interface Honoured {
	fate: "honoured";
}

/** It is accepted, and a warning names it, unless it has one of these values, which ask for nothing. */
export interface WithoutEffect {
	fate: "without effect";
	asksForNothing: readonly unknown[];
}

/** A request that has it is refused, and the error names it. */
interface Refused {
	fate: "refused";
}

/** It asks for nothing that the reply could show, so there is nothing to be warned of. */
interface Hint {
	fate: "hint";
}

/** The fields of an API's requests, by their names. */
export type RequestFields = Readonly<Record<string, RequestField>>;

/** Those of a table that have no effect. `Setting` is what the schema of the request reads for that. */
export type FieldsWithout<Setting extends string> = Readonly<Record<Setting, RequestField & WithoutEffect>>;

/** Warns about each of these settings that a client uses. */
export function warnOfFields<Setting extends string>(
	body: Readonly<Partial<Record<Setting, unknown>>>,
	fields: FieldsWithout<Setting>,
	warnings: Warnings,
): void {
	for (const field in fields) {
		const value = body[field] ?? undefined;
		const asksForNothing = value === undefined || fields[field].asksForNothing.includes(comparable(value));
		if (!asksForNothing) warnings.add(`${field} has no effect`);
	}
}

/** A list of texts is compared as one text. Other lists ask for something; joining them could even throw. */
function comparable(value: unknown): unknown {
	const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
	return isTexts ? value.join() : value;
}

export const honoured = (about: string) => ({ fate: "honoured", about }) as const;
export const refused = (about: string) => ({ fate: "refused", about }) as const;
export const hint = (about: string) => ({ fate: "hint", about }) as const;
export const withoutEffect = (about: string, ...asksForNothing: unknown[]) =>
	({ fate: "without effect", about, asksForNothing }) as const;
