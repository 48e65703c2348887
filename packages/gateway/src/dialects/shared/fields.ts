import { z } from "zod";

// Building blocks for the schemas of requests.

/** A name, id or label: it may end up in a header or a log line, so nothing in it may break one. */
export function oneLine(maxLength: number): z.ZodString {
	return z
		.string()
		.max(maxLength)
		.regex(/^[^\p{Cc}]*$/u, { error: "free of control characters" });
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
					const [{ path, ...issue }] = result.error.issues as [z.core.$ZodIssue];
					const [index, ...inside] = path as [number, ...PropertyKey[]];
					context.issues.push({ ...issue, path: [start + index, ...inside] } as z.core.$ZodRawIssue);
					return z.NEVER;
				}
				items.push(...result.data);
			}
			return items;
		});
}
