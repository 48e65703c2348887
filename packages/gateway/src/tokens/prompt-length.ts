import type { TurnMessage, TurnRequest } from "../turn/request.ts";
import { toolsLength } from "../turn/tools-length.ts";
import { IMAGE_TOKENS } from "./prompt-tokens.ts";

type Prompt = Pick<TurnRequest, "system" | "tools" | "messages">;

/** How many characters each part of a prompt has. */
export interface PromptLengths {
	system: number;
	/** Without the schemas of the tools: writing those as text would take too long. */
	tools: number;
	history: number;
	results: number;
	/** What the user wrote last. */
	message: number;
	/** How many there are. */
	images: number;
}

/** How many tokens each part of a prompt has. */
interface PartTokens {
	systemTokens?: number;
	toolTokens?: number;
	historyTokens?: number;
	resultTokens?: number;
	messageTokens?: number;
	imageTokens?: number;
}

/** Measures a prompt in one pass. */
export function promptLengths({ system, tools, messages }: Prompt): PromptLengths {
	const lengths = { system: 0, tools: 0, history: 0, results: 0, message: 0, images: 0 };
	for (const text of system) lengths.system += text.length;
	for (const { name, description } of tools) lengths.tools += name.length + description.length;
	let first = messages.length;
	while (first > 0 && messages[first - 1]!.role !== "assistant") first--;
	for (let index = 0; index < messages.length; index++) {
		addMessage(lengths, messages[index]!, index < first ? "history" : "message");
	}
	return lengths;
}

/** How many characters a prompt has, without images and the schemas of tools. */
export const promptLength = ({ system, tools, history, results, message }: PromptLengths): number =>
	system + tools + history + results + message;

/** The tokens of a prompt by part, in proportion to the characters of each part. An image has a fixed cost. */
export function addPartTokens(into: PartTokens, lengths: PromptLengths, prompt: Prompt, tokens: number): void {
	const { system, history, results, message } = lengths;
	const tools = toolsLength(prompt.tools) ?? lengths.tools;
	const characters = system + tools + history + results + message;
	const images = characters === 0 ? tokens : Math.min(tokens, lengths.images * IMAGE_TOKENS);
	const share = characters === 0 ? 0 : (tokens - images) / characters;
	into.systemTokens = Math.round(system * share);
	into.toolTokens = Math.round(tools * share);
	into.historyTokens = Math.round(history * share);
	into.resultTokens = Math.round(results * share);
	into.messageTokens = Math.round(message * share);
	into.imageTokens = images;
}

function addMessage(lengths: PromptLengths, { content }: TurnMessage, place: "history" | "message"): void {
	for (const part of content) {
		if (part.type === "text") lengths[place] += part.text.length;
		else if (part.type === "tool-call") lengths[place] += part.name.length + part.arguments.length;
		else if (part.type === "image") lengths.images++;
		else if (part.type === "tool-result") {
			for (const each of part.content) {
				if (each.type === "text") lengths.results += each.text.length;
				else lengths.images++;
			}
		}
	}
}
