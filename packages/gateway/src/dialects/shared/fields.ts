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

/** An array that is checked up to the first mistake: a million wrong items would take seconds to list. */
export function list<T>(item: z.ZodType<T>, maxLength = Number.POSITIVE_INFINITY) {
	return z
		.array(z.unknown())
		.max(maxLength)
		.transform((values, context): T[] => {
			const items: T[] = [];
			for (const [index, value] of values.entries()) {
				const result = item.safeParse(value, { reportInput: true });
				if (!result.success) {
					const [first] = result.error.issues as [z.core.$ZodIssue];
					context.issues.push({ ...first, path: [index, ...first.path] } as z.core.$ZodRawIssue);
					return z.NEVER;
				}
				items.push(result.data);
			}
			return items;
		});
}
