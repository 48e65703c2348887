import { TOOL_NAME } from "../shared/limits.ts";

/** The namespace that everything is in which names none. */
const DEFAULT_NAMESPACE = "functions";

/**
 * What a tool of a namespace is called where there are none. A name that would be too long goes without its namespace.
 * It depends on nothing else, so a call of an earlier turn has the name that the tool has now.
 */
export function flatName(name: string, namespace: string | null | undefined): string {
	if (!namespace || namespace === DEFAULT_NAMESPACE) return name;
	const joined = namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`;
	return TOOL_NAME.test(joined) ? joined : name;
}

/** How a call of a tool is told to the client, where it is not a plain function. */
export interface CallForm {
	name: string;
	namespace?: string;
	kind: "function" | "freeform";
}

/** By the name that the model knows. */
export type CallForms = ReadonlyMap<string, CallForm>;
