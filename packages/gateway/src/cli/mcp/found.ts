/** What a tool found out: for a model to read, and as data. */
export interface Found {
	text: string;
	data: object;
}

export const count = (value: number): string => value.toLocaleString("en-US");

export const lines = (...parts: readonly (string | readonly string[] | undefined)[]): string =>
	parts.flatMap((part) => part ?? []).join("\n");
