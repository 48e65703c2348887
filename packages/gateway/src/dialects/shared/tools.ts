import { DEEPEST_JSON, isTooDeep } from "../../text/json-depth.ts";
import { weight } from "../../text/json-pieces.ts";
import type { Sliced } from "../../time/slices.ts";
import type { ToolDefinition } from "../../turn/request.ts";
import { invalid } from "./invalid.ts";
import { MAX_TOOLS_LENGTH, TOOL_NAME } from "./limits.ts";
import type { Warnings } from "./warnings.ts";

/** A tool, and the places of its name and its schema in the request. */
export interface OfferedTool {
	definition: ToolDefinition;
	param: string;
	schemaParam: string;
}

/** The tools to offer upstream: names are checked, and of two with one name the first counts. */
export function* checkTools(offered: readonly OfferedTool[], warnings: Warnings): Sliced<ToolDefinition[]> {
	const byName = new Map<string, ToolDefinition>();
	let length = 0;
	for (const { definition, param, schemaParam } of offered) {
		const { name, kind } = definition;
		if (kind === "function" && !TOOL_NAME.test(name)) {
			throw invalid(param, "must have 1 to 64 letters, digits, underscores and dashes");
		}
		length += weight([name, definition.description, definition.inputSchema], MAX_TOOLS_LENGTH);
		if (length > MAX_TOOLS_LENGTH) {
			throw invalid(param, `brings the tools to more than ${MAX_TOOLS_LENGTH} characters in all`);
		}
		if (isTooDeep(definition.inputSchema)) {
			throw invalid(schemaParam, `must not be nested deeper than ${DEEPEST_JSON} levels`);
		}
		if (byName.has(name)) warnings.add(`${param}: a tool of this name is there already; this one is left aside`);
		else byName.set(name, definition);
		yield;
	}
	return [...byName.values()];
}
