import { toBlocks } from "./decode-parts.ts";
import type { MessagesBlock, MessagesMessage, MessagesRequestBody } from "./schema.ts";

type Tool = NonNullable<MessagesRequestBody["tools"]>[number];

/** A tool that is offered, and where it stands in the request. */
export interface PlacedTool {
	tool: Tool;
	param: string;
	/** It came to be offered in the course of the conversation. */
	isFoundLater: boolean;
}

/**
 * The tools that are offered at the end of a conversation. Those with `defer_loading` are offered once the conversation
 * names them: by a reference in the result of a search, by a call, or by an addition. A removal withdraws a tool.
 *
 * A deferred tool would never be found where nothing searches for it: where every tool is deferred, and where the search
 * is one that Anthropic runs. Nothing is deferred then.
 */
export function toolsAtTheEnd(body: MessagesRequestBody, messages: readonly MessagesMessage[]): PlacedTool[] {
	const tools = body.tools ?? [];
	const changes = new ToolChanges();
	for (const [index, message] of messages.entries()) changes.follow(message, `messages[${index}]`);
	if (body.tool_choice?.name) changes.found.add(body.tool_choice.name);
	const isDeferring = defersTools(tools);
	const declared = tools.flatMap((tool, index): PlacedTool[] => {
		const isDeferred = isDeferring && tool.defer_loading === true;
		if (changes.removed.has(tool.name ?? "") || (isDeferred && !changes.found.has(tool.name ?? ""))) return [];
		return [{ tool, param: `tools[${index}]`, isFoundLater: isDeferred }];
	});
	return [...declared, ...changes.added.filter(({ tool }) => !changes.removed.has(tool.name ?? ""))];
}

function defersTools(tools: readonly Tool[]): boolean {
	if (tools.some(({ type }) => type?.startsWith("tool_search_tool"))) return false;
	return tools.some((tool) => !tool.defer_loading && isCallable(tool));
}

const isCallable = ({ type }: Tool) => (type ?? "custom") === "custom";

/** What the messages of a conversation say about tools, in their order. */
class ToolChanges {
	readonly found = new Set<string>();
	readonly removed = new Set<string>();
	readonly added: PlacedTool[] = [];

	follow({ content }: MessagesMessage, param: string): void {
		// A text names nothing.
		if (typeof content === "string") return;
		for (const [index, block] of toBlocks(content).entries()) this.#read(block, `${param}.content[${index}]`);
	}

	#read(block: MessagesBlock, param: string): void {
		switch (block.type) {
			case "tool_result":
				if (typeof block.content !== "string") for (const inner of block.content ?? []) this.#read(inner, param);
				return;
			case "tool_reference":
				return this.#offer(block.tool_name);
			case "tool_use":
				return this.#offer(block.name);
			case "tool_addition":
				if (block.tool.definition) this.#define(block.tool.definition, `${param}.tool.definition`);
				else this.#offer(block.tool.name ?? "");
				return;
			case "tool_removal":
				this.removed.add(block.tool.name ?? "");
		}
	}

	#offer(name: string): void {
		this.found.add(name);
		this.removed.delete(name);
	}

	#define(tool: Tool, param: string): void {
		this.#offer(tool.name ?? "");
		this.added.push({ tool, param, isFoundLater: true });
	}
}
