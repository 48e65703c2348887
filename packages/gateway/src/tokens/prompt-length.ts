import type { TurnMessage, TurnRequest } from "../turn/request.ts";

/** How many characters a prompt has, without the schemas of tools: writing those as text would take too long. */
export function promptLength({ system, tools, messages }: Pick<TurnRequest, "system" | "tools" | "messages">): number {
	let characters = 0;
	for (const text of system) characters += text.length;
	for (const { name, description } of tools) characters += name.length + description.length;
	for (const message of messages) characters += messageLength(message);
	return characters;
}

function messageLength({ content }: TurnMessage): number {
	let characters = 0;
	for (const part of content) {
		if (part.type === "text") characters += part.text.length;
		else if (part.type === "tool-call") characters += part.name.length + part.arguments.length;
		else if (part.type === "tool-result")
			for (const each of part.content) characters += each.type === "text" ? each.text.length : 0;
	}
	return characters;
}
