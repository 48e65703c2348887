import type { Sliced } from "../../time/slices.ts";
import type { ToolChoice, ToolDefinition } from "../../turn/request.ts";
import { invalid } from "../shared/invalid.ts";
import {
	type ChoiceKinds,
	checkTools,
	decodeToolChoice,
	functionTool,
	namedToolChoice,
	type OfferedTool,
} from "../shared/tools.ts";
import type { Warnings } from "../shared/warnings.ts";
import type { MessagesMessage, MessagesRequestBody, MessagesToolChoice } from "./schema.ts";
import { type PlacedTool, toolsAtTheEnd } from "./tool-changes.ts";

export interface DecodedTools {
	tools: ToolDefinition[];
	toolChoice: ToolChoice;
	parallelToolCalls: boolean;
}

/** What the model may call, and whether it must. */
export function* decodeTools(
	body: MessagesRequestBody,
	messages: readonly MessagesMessage[],
	warnings: Warnings,
): Sliced<DecodedTools> {
	const { offered, leftAside } = sortTools(toolsAtTheEnd(body, messages), warnings);
	const tools = yield* checkTools(offered, warnings);
	return {
		tools,
		toolChoice: decodeChoice(body.tool_choice, tools, leftAside, warnings),
		parallelToolCalls: !body.tool_choice?.disable_parallel_tool_use,
	};
}

interface SortedTools {
	offered: OfferedTool[];
	/** Names of tools that the vendor runs or defines: the upstream has none of them. */
	leftAside: ReadonlySet<string>;
}

function sortTools(tools: readonly PlacedTool[], warnings: Warnings): SortedTools {
	const offered: OfferedTool[] = [];
	const leftAside = new Set<string>();
	let isStrict = false;
	for (const { tool, param, isFoundLater } of tools) {
		if ((tool.type ?? "custom") !== "custom") {
			warnings.add(`${param}: tools of the vendor's own types cannot be offered; this one is left aside`);
			if (tool.name) leftAside.add(tool.name);
			continue;
		}
		if (typeof tool.name !== "string") throw invalid(`${param}.name`, "is required and must be a string");
		isStrict ||= tool.strict ?? false;
		const definition = functionTool(tool.name, tool.description, tool.input_schema);
		offered.push({
			definition: isFoundLater ? { ...definition, isFoundLater: true } : definition,
			param: `${param}.name`,
			schemaParam: `${param}.input_schema`,
		});
	}
	if (isStrict) warnings.add("tools: strict has no effect; check the input of a call against its schema");
	return { offered, leftAside };
}

const KINDS: ChoiceKinds = new Map([
	["auto", "auto"],
	["none", "none"],
	["any", "required"],
]);

function decodeChoice(
	choice: MessagesToolChoice | null | undefined,
	tools: readonly ToolDefinition[],
	leftAside: ReadonlySet<string>,
	warnings: Warnings,
): ToolChoice {
	if (!choice) return { kind: "auto" };
	if (choice.type === "tool") return decodeNamedTool(choice, tools, leftAside, warnings);
	return decodeToolChoice(choice.type, KINDS, tools, "tool_choice", warnings);
}

function decodeNamedTool(
	{ name }: MessagesToolChoice,
	tools: readonly ToolDefinition[],
	leftAside: ReadonlySet<string>,
	warnings: Warnings,
): ToolChoice {
	if (typeof name !== "string") throw invalid("tool_choice.name", "is required and must be a string");
	if (leftAside.has(name) && !tools.some((tool) => tool.name === name)) {
		warnings.add("tool_choice: the tool is left aside; the model decides");
		return { kind: "auto" };
	}
	return namedToolChoice(name, tools, "tool_choice.name");
}
