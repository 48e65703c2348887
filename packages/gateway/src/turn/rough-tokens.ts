import type { TurnRequest } from "./request.ts";

/** Near enough for a count that is replaced as soon as Cursor gives its own. */
const CHARACTERS_PER_TOKEN = 4;

/** How many tokens a prompt has, by its length alone: at once, whatever its size. */
export function roughInputTokens(request: TurnRequest): number {
	let characters = request.system.reduce((sum, text) => sum + text.length, 0);
	for (const { content } of request.messages) {
		for (const part of content) {
			if (part.type === "tool-result")
				for (const each of part.content) characters += each.type === "text" ? each.text.length : 0;
			else if (part.type === "tool-call") characters += part.arguments.length;
			else if (part.type !== "image") characters += part.text.length;
		}
	}
	return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
