import { DEEPEST_JSON, isTooDeep } from "../../text/json-depth.ts";
import { weight } from "../../text/json-pieces.ts";
import type { Sliced } from "../../time/slices.ts";
import type { ToolChoice, ToolDefinition } from "../../turn/request.ts";
import { invalid } from "./invalid.ts";
import { MAX_TOOLS_LENGTH, TOOL_NAME } from "./limits.ts";
import type { Warnings } from "./warnings.ts";
import { wellFormed } from "./well-formed.ts";

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

/** A function as every API describes one. */
export function functionTool(
	name: string,
	description: string | null | undefined,
	inputSchema: ToolDefinition["inputSchema"] | null | undefined,
): ToolDefinition {
	return {
		name,
		description: wellFormed(description ?? ""),
		inputSchema: inputSchema ?? { type: "object", properties: {} },
		kind: "function",
	};
}

/** What an API's own words for a choice mean, where it names no tool. */
export type ChoiceKinds = ReadonlyMap<string, "auto" | "none" | "required">;

/** A choice that names no tool. */
export function decodeToolChoice(
	word: string,
	kinds: ChoiceKinds,
	tools: readonly ToolDefinition[],
	param: string,
	warnings: Warnings,
): ToolChoice {
	const kind = kinds.get(word);
	if (!kind) warnings.add(`${param}: this choice is not known; the model decides`);
	if (kind !== "required" || tools.length > 0) return { kind: kind ?? "auto" };
	warnings.add(`${param}: there is no tool to call`);
	return { kind: "auto" };
}

/** A choice of one tool. */
export function namedToolChoice(name: string, tools: readonly ToolDefinition[], param: string): ToolChoice {
	if (!tools.some((tool) => tool.name === name)) throw invalid(param, "names a tool that is not offered");
	return { kind: "tool", name };
}

/** The arguments of a call in the history, however the client wrote them. */
export function argumentsText(given: string | object | null | undefined): string {
	const text = typeof given === "string" ? wellFormed(given) : JSON.stringify(given ?? {});
	return text.trim() === "" ? "{}" : text;
}
