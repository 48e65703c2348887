import type { ToolDefinition } from "../../../turn/request.ts";
import { type Filled, fillArguments } from "./fill.ts";
import { INTENTS, type IntentName } from "./intents.ts";
import { ACTION_NAMES, MEANT, meaningOf, statedMeaning } from "./meaning.ts";
import { choice, type Wish, want } from "./wish.ts";

/** A client's tool with arguments that carry a request. */
export interface Match extends Filled {
	tool: ToolDefinition;
}

/** The tool that means the same and whose schema can take the request; the one that takes most of it, if several. */
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

/** The tool to name to the model where the request itself cannot be handed on. */
export function nearestTool(intent: IntentName, tools: readonly ToolDefinition[]): ToolDefinition | undefined {
	for (const each of INTENTS[intent].instead) {
		const meant = tools.filter((tool) => statedMeaning(tool, each) >= MEANT);
		const [nearest] = meant.sort((left, right) => statedMeaning(right, each) - statedMeaning(left, each));
		if (nearest) return nearest;
	}
	return undefined;
}
