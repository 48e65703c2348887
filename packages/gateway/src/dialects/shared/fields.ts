import * as z from "zod";
import type { Sliced } from "../../time/slices.ts";
import { issueError } from "./invalid.ts";

// Building blocks for the schemas of requests.

/**
 * A text of at most so many characters. Of one that is far longer the characters are not counted, as the library would
 * do it: there may be thirty million of them.
 */
export function shortText(maxLength: number): z.ZodString {
	return z.string().check(({ value, issues }) => {
		if (value.length <= maxLength) return;
		// A character has at most two units.
		if (value.length <= 2 * maxLength && [...value].length <= maxLength) return;
		issues.push({
			code: "too_big",
			origin: "string",
			maximum: maxLength,
			inclusive: true,
			input: value,
			continue: false,
		});
	});
}

/** A name, id or label: it may end up in a header or a log line, so nothing in it may break one. */
export function oneLine(maxLength: number): z.ZodString {
	return shortText(maxLength).regex(/^[^\p{Cc}]*$/u, { error: "free of control characters" });
}

/** A JSON object, passed on as it is. */
export const jsonObject = z.custom<Readonly<Record<string, unknown>>>(
	(value) => typeof value === "object" && value !== null && !Array.isArray(value),
	{ error: "an object" },
);

/** How many items are checked at once: enough to be fast, few enough to list what is wrong with each of them. */
const STRETCH = 64;

/** An array of which no more is checked than up to a mistake: a million wrong items would take seconds to list. */
export function list<T>(item: z.ZodType<T>, maxLength = Number.POSITIVE_INFINITY) {
	const stretch = z.array(item);
	return z
		.array(z.unknown())
		.max(maxLength)
		.transform((values, context): T[] => {
			const items: T[] = [];
			for (let start = 0; start < values.length; start += STRETCH) {
				const result = stretch.safeParse(values.slice(start, start + STRETCH));
				if (!result.success) {
					context.issues.push(moved(result.error.issues[0] as z.core.$ZodIssue, start) as z.core.$ZodRawIssue);
					return z.NEVER;
				}
				items.push(...result.data);
			}
			return items;
		});
}

/** An array whose items are checked by `parseItems`, as there may be very many. */
export const uncheckedList = (maxLength: number) => z.array(z.unknown()).max(maxLength);

/** The items of such an array where there are few and all are plain, so that nothing needs a pause. */
export function plainItems<T>(
	values: readonly unknown[],
	isPlain: (value: unknown) => value is T,
): readonly T[] | undefined {
	return values.length <= STRETCH && values.every(isPlain) ? values : undefined;
}

/**
 * The items of such an array, as the schema describes each; with pauses, so that nobody waits for all of them. `isPlain`
 * recognises items that the schema is sure to accept as they are, and is many times faster.
 */
export function* parseItems<T>(
	item: z.ZodType<T>,
	values: readonly unknown[],
	param: string,
	isPlain?: (value: unknown) => value is T,
): Sliced<readonly T[]> {
	const items: T[] = [];
	for (let start = 0; start < values.length; start += STRETCH) {
		const stretch = values.slice(start, start + STRETCH);
		if (isPlain && stretch.every(isPlain)) items.push(...stretch);
		else {
			const result = z.array(item).safeParse(stretch);
			if (!result.success) throw issueError(moved(result.error.issues[0] as z.core.$ZodIssue, start), values, param);
			items.push(...result.data);
		}
		yield;
	}
	return items;
}

/** An issue of a stretch as one of the whole array. */
function moved(issue: z.core.$ZodIssue, by: number): z.core.$ZodIssue {
	const [index, ...inside] = issue.path as [number, ...PropertyKey[]];
	return { ...issue, path: [by + index, ...inside] };
}
