// Checks by hand for what nearly every request consists of. Each of them may say no to what a schema accepts, as the
// schema is asked then, but never yes to what it refuses.

export type PlainObject = Readonly<Record<string, unknown>>;

export function isPlainObject(value: unknown): value is PlainObject {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A field that need not be there, and is not. */
export const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null;

/** As `oneLine` in fields.ts has it. */
export function isOneLine(value: unknown, maxLength: number): value is string {
	return typeof value === "string" && value.length <= maxLength && !CONTROL.test(value);
}

const CONTROL = /\p{Cc}/u;

/** A list of not too many items that all pass. */
export function isListOf(value: unknown, isItem: (item: unknown) => boolean, maxLength: number): boolean {
	return Array.isArray(value) && value.length <= maxLength && value.every(isItem);
}
