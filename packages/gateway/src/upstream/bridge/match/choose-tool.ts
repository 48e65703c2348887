import type { ToolDefinition } from "../../../turn/request.ts";
import { type Filled, fillArguments } from "./fill.ts";
import { INTENTS, type IntentName } from "./intents.ts";
import { ACTION_NAMES, MEANT, meaningOf, statedMeaning } from "./meaning.ts";
import { choice, type Wish, want } from "./wish.ts";

/** A client tool and the arguments that express a request. */
export interface Match extends Filled {
	tool: ToolDefinition;
}

/**
 * The tool with the same meaning whose schema accepts the request. If there are several, the one that takes most of it.
 */
export function chooseTool(
	intent: IntentName,
	wishes: readonly Wish[],
	tools: readonly ToolDefinition[],
): Match | undefined {
	const all = [...wishes, want(ACTION_NAMES, choice(INTENTS[intent].actions))];
	let best: { match: Match; score: number } | undefined;
	for (const tool of tools) {
		const meaning = tool.kind === "function" ? meaningOf(tool, intent) : 0;
		const filled = meaning >= MEANT ? fillArguments(tool, all) : undefined;
		if (!filled) continue;
		const score = meaning + filled.met.size / 4 - (filled.batched ? 0.5 : 0);
		if (!best || score > best.score) best = { match: { ...filled, tool }, score };
	}
	return best?.match;
}

/** The tool to suggest to the model when the request itself cannot be passed on. */
export function nearestTool(intent: IntentName, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
	for (const each of INTENTS[intent].instead) {
		const meant = tools.filter((tool) => statedMeaning(tool, each) >= MEANT);
		const [nearest] = meant.sort((left, right) => statedMeaning(right, each) - statedMeaning(left, each));
		if (nearest) return nearest;
	}
	return undefined;
}
