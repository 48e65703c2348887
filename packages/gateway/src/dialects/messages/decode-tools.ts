import type { Sliced } from "../../time/slices.ts";
import type { ToolChoice, ToolDefinition } from "../../turn/request.ts";
import type { WebSearchWish } from "../../turn/web-search.ts";
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
	webSearch?: WebSearchWish;
}

/** What the model may call, and whether it must. */
export function* decodeTools(
	body: MessagesRequestBody,
	messages: readonly MessagesMessage[],
	warnings: Warnings,
): Sliced<DecodedTools> {
	const { offered, leftAside, search } = sortTools(toolsAtTheEnd(body, messages), warnings);
	const tools = yield* checkTools(offered, warnings);
	return {
		tools,
		toolChoice: decodeChoice(isOf(body.tool_choice, search) ? undefined : body.tool_choice, tools, leftAside, warnings),
		parallelToolCalls: !body.tool_choice?.disable_parallel_tool_use,
		...(search && { webSearch: decodeSearch(search, body.tool_choice, tools.length === 0, warnings) }),
	};
}

const isOf = (choice: MessagesToolChoice | null | undefined, search: PlacedTool | undefined) =>
	choice?.type === "tool" && search !== undefined && choice.name === search.tool.name;

interface SortedTools {
	offered: OfferedTool[];
	/** Names of tools that the vendor runs or defines: the upstream has none of them. */
	leftAside: ReadonlySet<string>;
	/** Cursor can search the web itself. */
	search?: PlacedTool;
}

function sortTools(tools: readonly PlacedTool[], warnings: Warnings): SortedTools {
	const offered: OfferedTool[] = [];
	const leftAside = new Set<string>();
	let search: PlacedTool | undefined;
	let isStrict = false;
	for (const placed of tools) {
		const { tool, param, isFoundLater } = placed;
		if (tool.type?.startsWith("web_search_")) {
			search = placed;
			continue;
		}
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
	return { offered, leftAside, ...(search && { search }) };
}

function decodeSearch(
	search: PlacedTool,
	choice: MessagesToolChoice | null | undefined,
	isAlone: boolean,
	warnings: Warnings,
): WebSearchWish {
	const { tool, param } = search;
	for (const field of ["allowed_domains", "blocked_domains", "user_location"] as const) {
		if (tool[field]) warnings.add(`${param}.${field} has no effect: Cursor chooses what it reads`);
	}
	return {
		isDemanded: isOf(choice, search) || isAlone,
		...(typeof tool.max_uses === "number" && { maxUses: tool.max_uses }),
	};
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
