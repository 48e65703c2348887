/** A JSON schema as a client sent it: data of unknown quality, read and never compiled. */
export type Schema = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The schema and its direct alternatives, for a look at which shapes it could take. */
export function alternatives(schema: Schema): Schema[] {
	const branches = [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []));
	return [schema, ...branches.filter(isRecord)];
}

/** The strings a schema chooses from; empty where it does not choose. */
export function choicesOf(schema: Schema): string[] {
	return alternatives(schema)
		.flatMap((branch) => (Array.isArray(branch.enum) ? branch.enum : "const" in branch ? [branch.const] : []))
		.filter((choice) => typeof choice === "string");
}

/** Description of a schema, cut to a length that is safe to search. */
export function descriptionOf(schema: Schema): string {
	return typeof schema.description === "string" ? schema.description.slice(0, 1000) : "";
}
