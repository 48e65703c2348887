import type { ToolChoice, TurnRequest } from "../../turn/request.ts";

/** The tools that the model gets to see: none, one, or all. */
export function offeredTools({ tools, toolChoice }: TurnRequest): TurnRequest["tools"] {
	if (toolChoice.kind === "none") return [];
	if (toolChoice.kind === "tool") return tools.filter(({ name }) => name === toolChoice.name);
	return tools;
}

/** What makes the model search where the client counts on it. */
export const SEARCH_RULE =
	"Search the web before you answer this, and name the pages that you rely on by their addresses.";

/** Cursor has no field for a forced call, so the model can only be told in words. */
export function choiceRule(choice: ToolChoice): string[] {
	if (choice.kind === "required") {
		return ["Answer this by calling at least one of your tools. Do not answer in text alone."];
	}
	if (choice.kind === "tool") return [`Answer this by calling the tool ${choice.name}. Do not answer in text alone.`];
	return [];
}
