import { TOOL_NAME } from "../shared/limits.ts";

/** The namespace of tools that name none. */
const DEFAULT_NAMESPACE = "functions";

/**
 * The name of a tool without namespaces, which the upstream does not have: both joined, or the name alone if that would
 * be too long. It depends on nothing else, so a call of an earlier turn has the name that the tool has now.
 */
export function flatName(name: string, namespace: string | null | undefined): string {
	if (!namespace || namespace === DEFAULT_NAMESPACE) return name;
	const joined = namespace.endsWith("__") ? namespace + name : `${namespace}__${name}`;
	return TOOL_NAME.test(joined) ? joined : name;
}

/** How a call of a tool is written for the client. */
export interface CallForm {
	name: string;
	namespace?: string;
	kind: "function" | "freeform";
}

/** By the name that the model knows. */
export type CallForms = ReadonlyMap<string, CallForm>;
