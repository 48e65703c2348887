import type { ToolDefinition } from "../../turn/request.ts";
import { invalid } from "./invalid.ts";
import { TOOL_NAME } from "./limits.ts";
import type { Warnings } from "./warnings.ts";

/** A tool and the place of its name in the request. */
export interface OfferedTool {
	definition: ToolDefinition;
	param: string;
}

/** The tools to offer upstream: names are checked, and of two with one name the first counts. */
export function checkTools(offered: readonly OfferedTool[], warnings: Warnings): ToolDefinition[] {
	const byName = new Map<string, ToolDefinition>();
	for (const { definition, param } of offered) {
		const { name, kind } = definition;
		if (kind === "function" && !TOOL_NAME.test(name)) {
			throw invalid(param, "must have 1 to 64 letters, digits, underscores and dashes");
		}
		if (byName.has(name)) warnings.add(`${param}: a tool of this name is there already; this one is left aside`);
		else byName.set(name, definition);
	}
	return [...byName.values()];
}
