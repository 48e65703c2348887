/** A JSON schema as a client sent it: untrusted data that is read but never compiled. */
export type Schema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema and its direct alternatives, to see which shapes it allows. */
export function alternatives(schema: Schema): Schema[] {
	const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
	return [schema, ...branches.filter(isRecord)];
}

/** The strings a schema lets a client choose from; empty if it is not an enumeration. */
export function choicesOf(schema: Schema): string[] {
	return alternatives(schema)
		.flatMap((branch) => (Array.isArray(branch.enum) ? branch.enum : "const" in branch ? [branch.const] : []))
		.filter((choice) => typeof choice === "string");
}

/** The description of a schema, cut to a length that is safe to search. */
export function descriptionOf(schema: Schema): string {
	return typeof schema.description === "string" ? schema.description.slice(0, 1000) : "";
}
