import type { ToolDefinition } from "../../../turn/request.ts";
import { INTENTS, type Intent, type IntentName } from "./intents.ts";
import { choicesOf, isRecord } from "./schema.ts";
import { compactName, wordsOf } from "./words.ts";

/** From this score on, a tool is assumed to serve the intent. Its schema still has to accept the request. */
export const MEANT = 2;

/** Scores how strongly a tool's name, description and actions suggest an intent. */
export function meaningOf(tool: ToolDefinition, name: IntentName): number {
	const foreign = nameSpeaks(tool.name, INTENTS[name]) === undefined;
	return foreign ? 0 : statedMeaning(tool, name) + (offersAction(tool, INTENTS[name]) ? 2 : 0);
}

/** The same from name and description alone, because many unrelated tools have an action `list` or `get`. */
export function statedMeaning(tool: ToolDefinition, name: IntentName): number {
	const intent = INTENTS[name];
	const named = nameSpeaks(tool.name, intent);
	if (named === undefined) return 0;
	const described = descriptionSpeaks(tool.description, intent);
	if (named < STRONG && described < 0) return 0;
	return named + Math.max(described, 0);
}

const STRONG = 4;

function nameSpeaks(name: string, { verbs, weakVerbs, objects, foreign }: Intent): number | undefined {
	const words = wordsOf(name);
	const has = (list: readonly string[]) => words.some((word) => list.includes(word));
	if (has(foreign)) return undefined;
	const compact = words.join("");
	const joined = [...verbs, ...weakVerbs].some((verb) => objects.some((object) => compact === verb + object));
	if (joined || has(verbs)) return STRONG;
	return has(weakVerbs) && has(objects) ? 2 : 0;
}

/** Only the first sentence counts: it says what a tool is for, and the rest is usage advice. */
function descriptionSpeaks(description: string, { about, unlike }: Intent): number {
	const [first = "", ...rest] = description.slice(0, 600).split(/(?<=[.!?])\s|\n/);
	if (about.test(first)) return 2;
	if (unlike?.test(description.slice(0, 600))) return -1;
	return about.test(rest.join(" ")) ? 1 : 0;
}

function offersAction(tool: ToolDefinition, { actions }: Intent): boolean {
	const { properties } = tool.inputSchema;
	if (!isRecord(properties)) return false;
	const wanted = new Set(actions.map(compactName));
	return ACTION_NAMES.some((name) => {
		const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
		return isRecord(schema) && choicesOf(schema).some((choice) => wanted.has(compactName(choice)));
	});
}

/** Parameters that select what a multi-purpose tool does. */
export const ACTION_NAMES: readonly string[] = ["command", "action", "operation", "op", "method", "subcommand"];
