/** More would only fill the header. */
const MAX_WARNINGS = 20;

/** The warnings for a client about what was accepted and has no effect. Only the first ones are kept. */
export class Warnings {
	readonly lines: string[] = [];

	add(line: string): void {
		if (this.lines.length < MAX_WARNINGS) this.lines.push(line);
	}
}

/** Settings that the upstream does not have, with the values that ask for nothing. */
export type SettingsWithoutEffect<Setting extends string> = Readonly<Record<Setting, readonly unknown[]>>;

/** Warns about each of these settings that a client uses. */
export function warnOfSettings<Setting extends string>(
	body: Readonly<Partial<Record<Setting, unknown>>>,
	settings: SettingsWithoutEffect<Setting>,
	warnings: Warnings,
): void {
	for (const setting in settings) {
		const value = body[setting] ?? undefined;
		const asksForNothing = value === undefined || settings[setting].includes(comparable(value));
		if (!asksForNothing) warnings.add(`${setting} has no effect`);
	}
}

/** A list of texts is compared as one text. Other lists ask for something; joining them could even throw. */
function comparable(value: unknown): unknown {
	const isTexts = Array.isArray(value) && value.every((item) => typeof item === "string");
	return isTexts ? value.join() : value;
}
