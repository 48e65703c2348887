import type { Sliced } from "../../time/slices.ts";
import type { ToolChoice, ToolDefinition } from "../../turn/request.ts";
import { invalid } from "../shared/invalid.ts";
import { isAbsent } from "../shared/plain.ts";
import {
	type ChoiceKinds,
	checkTools,
	decodeToolChoice,
	functionTool,
	namedToolChoice,
	type OfferedTool,
} from "../shared/tools.ts";
import type { Warnings } from "../shared/warnings.ts";
import type { ChatFunction, ChatRequestBody, ChatToolChoice } from "./schema.ts";

export interface DecodedTools {
	tools: ToolDefinition[];
	toolChoice: ToolChoice;
	parallelToolCalls: boolean;
	/** The client offered `functions` and understands `function_call` only. */
	legacyFunctions: boolean;
}

/** What the model may call, and whether it must. */
export function* decodeTools(body: ChatRequestBody, warnings: Warnings): Sliced<DecodedTools> {
	const legacyFunctions = !body.tools && Boolean(body.functions);
	const offered = legacyFunctions ? fromFunctions(body) : fromTools(body, warnings);
	const tools = yield* checkTools(offered, warnings);
	const param = legacyFunctions ? "function_call" : "tool_choice";
	const choice = legacyFunctions ? fromFunctionCall(body.function_call) : body.tool_choice;
	const allowed = allowedTools(tools, choice);
	return {
		tools: allowed,
		toolChoice: decodeChoice(choice, allowed, param, warnings),
		parallelToolCalls: !legacyFunctions && (body.parallel_tool_calls ?? true),
		legacyFunctions,
	};
}

/** Whether there is anything to decode. */
export const offersTools = ({ tools, functions, tool_choice: choice }: ChatRequestBody): boolean =>
	Boolean(tools || functions || !isAbsent(choice));

export function withoutTools({ parallel_tool_calls: parallel }: ChatRequestBody): DecodedTools {
	return { tools: [], toolChoice: { kind: "auto" }, parallelToolCalls: parallel ?? true, legacyFunctions: false };
}

function fromTools({ tools }: ChatRequestBody, warnings: Warnings): OfferedTool[] {
	const offered: OfferedTool[] = [];
	let isStrict = false;
	for (const [index, { type, function: definition }] of (tools ?? []).entries()) {
		const param = `tools[${index}]`;
		if ((type ?? "function") !== "function") {
			warnings.add(`${param}: only tools of type function can be offered; this one is left aside`);
			continue;
		}
		if (!definition) throw invalid(`${param}.function`, "is required and must be an object");
		isStrict ||= definition.strict ?? false;
		offered.push({
			definition: toDefinition(definition),
			param: `${param}.function.name`,
			schemaParam: `${param}.function.parameters`,
		});
	}
	if (isStrict) warnings.add("tools: strict has no effect; check the arguments of a call against its schema");
	return offered;
}

function fromFunctions({ functions }: ChatRequestBody): OfferedTool[] {
	return (functions ?? []).map((definition, index) => ({
		definition: toDefinition(definition),
		param: `functions[${index}].name`,
		schemaParam: `functions[${index}].parameters`,
	}));
}

function toDefinition({ name, description, parameters }: ChatFunction): ToolDefinition {
	return functionTool(name, description, parameters);
}

/** The older way to choose, in the words of the newer one. */
function fromFunctionCall(choice: ChatRequestBody["function_call"]): ChatRequestBody["tool_choice"] {
	return choice && typeof choice === "object" ? { type: "function", function: choice } : choice;
}

/** A choice may narrow the tools for this one request. The others are then not offered at all. */
function allowedTools(tools: ToolDefinition[], choice: ChatRequestBody["tool_choice"]): ToolDefinition[] {
	if (!choice || typeof choice === "string" || !choice.allowed_tools) return tools;
	const names = new Set(choice.allowed_tools.tools.map((tool) => (tool.function ?? tool.custom)?.name));
	return tools.filter(({ name }) => names.has(name));
}

const KINDS: ChoiceKinds = new Map([
	["auto", "auto"],
	["none", "none"],
	["required", "required"],
	["any", "required"],
]);

function decodeChoice(
	choice: ChatToolChoice | null | undefined,
	tools: readonly ToolDefinition[],
	param: string,
	warnings: Warnings,
): ToolChoice {
	const name = namedTool(choice);
	if (name !== undefined) return namedToolChoice(name, tools, param);
	return decodeToolChoice(kindOf(choice), KINDS, tools, param, warnings);
}

function namedTool(choice: ChatToolChoice | null | undefined): string | undefined {
	return choice && typeof choice === "object" ? (choice.function ?? choice.custom)?.name : undefined;
}

function kindOf(choice: ChatToolChoice | null | undefined): string {
	if (typeof choice === "string") return choice;
	return choice?.allowed_tools?.mode ?? choice?.type ?? "auto";
}
