import type { Sliced } from "../../time/slices.ts";
import type { ToolChoice, ToolDefinition } from "../../turn/request.ts";
import type { WebSearchWish } from "../../turn/web-search.ts";
import {
	type ChoiceKinds,
	checkTools,
	decodeToolChoice,
	functionTool,
	namedToolChoice,
	type OfferedTool,
} from "../shared/tools.ts";
import type { Warnings } from "../shared/warnings.ts";
import { wellFormed } from "../shared/well-formed.ts";
import type { PlacedItem } from "./earlier.ts";
import type { ResponsesRequestBody, ResponsesTool, ResponsesToolChoice, ToolOf } from "./schema.ts";
import { type CallForm, type CallForms, flatName } from "./tool-names.ts";

export interface DecodedTools {
	tools: ToolDefinition[];
	toolChoice: ToolChoice;
	parallelToolCalls: boolean;
	callForms: CallForms;
	webSearch?: WebSearchWish;
}

/** What the model may call, and whether it must. Tools are in the request and in its items. */
export function* decodeTools(
	body: ResponsesRequestBody,
	items: readonly PlacedItem[],
	warnings: Warnings,
): Sliced<DecodedTools> {
	const list = new ToolList(warnings);
	list.addAll(body.tools ?? [], "tools");
	for (const { item, param } of items) if (item.type === "additional_tools") list.addAll(item.tools, `${param}.tools`);
	const tools = yield* list.finish();
	const allowed = allowedTools(tools, body.tool_choice);
	return {
		tools: allowed,
		toolChoice: decodeChoice(body.tool_choice, allowed, warnings),
		parallelToolCalls: body.parallel_tool_calls ?? true,
		callForms: list.forms,
		...(list.offersSearch && { webSearch: { isDemanded: isSearch(body.tool_choice) || tools.length === 0 } }),
	};
}

class ToolList {
	readonly forms = new Map<string, CallForm>();
	offersSearch = false;
	readonly #warnings: Warnings;
	readonly #offered: OfferedTool[] = [];
	#isStrict = false;
	#hasGrammar = false;

	constructor(warnings: Warnings) {
		this.#warnings = warnings;
	}

	addAll(tools: readonly ResponsesTool[], param: string, namespace?: string): void {
		for (const [index, tool] of tools.entries()) this.#add(tool, `${param}[${index}]`, namespace);
	}

	*finish(): Sliced<ToolDefinition[]> {
		if (this.#isStrict) {
			this.#warnings.add("tools: strict has no effect; check the arguments of a call against its schema");
		}
		if (this.#hasGrammar) this.#warnings.add("tools: a grammar is told to the model, which may break it");
		return yield* checkTools(this.#offered, this.#warnings);
	}

	#add(tool: ResponsesTool, param: string, namespace: string | undefined): void {
		switch (tool.type) {
			case "function":
				this.#isStrict ||= tool.strict ?? false;
				return this.#offer(functionTool(tool.name, tool.description, tool.parameters), param, namespace);
			case "custom":
				this.#hasGrammar ||= Boolean(tool.format?.definition);
				return this.#offer(freeformTool(tool), param, namespace);
			case "namespace":
				return this.addAll(tool.tools, `${param}.tools`, tool.name);
			case "web_search":
				return this.#search(tool, param);
			case "other":
				this.#warnings.add(`${param}: tools of this type cannot be offered; this one is left aside`);
		}
	}

	#search(tool: ToolOf<"web_search">, param: string): void {
		this.offersSearch = true;
		for (const field of SEARCH_SETTINGS) {
			const isSet = (tool[field] ?? undefined) !== undefined;
			if (isSet) this.#warnings.add(`${param}.${field} has no effect: Cursor chooses what it reads`);
		}
	}

	#offer(definition: ToolDefinition, param: string, namespace: string | undefined): void {
		const { name, kind } = definition;
		const flat = flatName(name, namespace);
		this.#offered.push({
			definition: { ...definition, name: flat },
			param: `${param}.name`,
			schemaParam: `${param}.parameters`,
		});
		// The first tool of a name counts, as with the definitions.
		if (!this.forms.has(flat)) this.forms.set(flat, { name, kind, ...(namespace && { namespace }) });
	}
}

const SEARCH_SETTINGS = ["search_context_size", "filters", "user_location", "external_web_access"] as const;

const FREEFORM_SCHEMA = { type: "object", properties: { input: { type: "string" } }, required: ["input"] } as const;

function freeformTool({ name, description, format }: ToolOf<"custom">): ToolDefinition {
	const grammar = format?.definition
		? `The input follows this ${format.syntax ?? ""} grammar:\n${format.definition}`
		: "";
	return {
		name,
		description: wellFormed([description, grammar].filter((text) => text).join("\n\n")),
		inputSchema: FREEFORM_SCHEMA,
		kind: "freeform",
	};
}

/** A choice may narrow the tools for this one request. The others are then not offered at all. */
function allowedTools(tools: ToolDefinition[], choice: ResponsesRequestBody["tool_choice"]): ToolDefinition[] {
	if (!choice || typeof choice === "string" || choice.type !== "allowed_tools") return tools;
	const names = new Set((choice.tools ?? []).map(({ name, namespace }) => flatName(name ?? "", namespace)));
	return tools.filter(({ name }) => names.has(name));
}

const KINDS: ChoiceKinds = new Map([
	["auto", "auto"],
	["none", "none"],
	["required", "required"],
]);

function decodeChoice(
	choice: ResponsesToolChoice | null | undefined,
	tools: readonly ToolDefinition[],
	warnings: Warnings,
): ToolChoice {
	if (isSearch(choice)) return { kind: "auto" };
	const name = namedTool(choice);
	if (name !== undefined) return namedToolChoice(name, tools, "tool_choice");
	return decodeToolChoice(kindOf(choice), KINDS, tools, "tool_choice", warnings);
}

function isSearch(choice: ResponsesToolChoice | null | undefined): boolean {
	return typeof choice === "object" && choice !== null && choice.type.startsWith("web_search");
}

function namedTool(choice: ResponsesToolChoice | null | undefined): string | undefined {
	if (!choice || typeof choice === "string") return undefined;
	const isCallable = choice.type === "function" || choice.type === "custom";
	return isCallable && choice.name ? flatName(choice.name, choice.namespace) : undefined;
}

function kindOf(choice: ResponsesToolChoice | null | undefined): string {
	if (typeof choice === "string") return choice;
	if (choice?.type === "allowed_tools") return choice.mode ?? "auto";
	return choice?.type ?? "auto";
}
