import type { ToolDefinition } from "../../turn/request.ts";
import type { ToolNames } from "../writing/tool-names.ts";
import { nearestTool } from "./match/choose-tool.ts";
import type { IntentName } from "./match/intents.ts";

const NAMED = 12;

/**
 * Tells the model why a built-in request is refused and which tool to use instead. Without that hint the model assumes
 * a sandbox that blocks everything, and gives up or tries again. The names are those the model knows.
 */
export function guidance(
	intent: IntentName | undefined,
	tools: readonly ToolDefinition[],
	names: ToolNames,
	detail = "",
): string {
	const nearest = intent && nearestTool(intent, tools);
	return ["This built-in tool is not available here.", detail, advice(nearest, tools, names)]
		.filter((sentence) => sentence !== "")
		.join(" ");
}

function advice(nearest: ToolDefinition | undefined, tools: readonly ToolDefinition[], names: ToolNames): string {
	if (nearest) return `Call the tool "${names.wire(nearest.name)}" instead.`;
	if (tools.length === 0) return "There are no tools in this conversation: answer in text.";
	const known = tools.slice(0, NAMED).map(({ name }) => names.wire(name));
	return `Use the tools of this conversation instead: ${known.join(", ")}${tools.length > NAMED ? ", …" : ""}.`;
}
