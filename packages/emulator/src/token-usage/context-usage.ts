import { create } from "@bufbuild/protobuf";
import { type PromptContextUsageTree, PromptContextUsageTreeSchema } from "@cursorwire/protocol/agent";
import type { Message, Turn } from "../brains/brain.ts";
import { promptTokens } from "./prompt-tokens.ts";

const SCHEMA_VERSION = 1;

interface ContextPart {
	id: string;
	label: string;
	tokens: number;
	characters: number;
}

/** What fills the model's window: the total, and each part. */
export interface ContextUsage {
	tokens: number;
	parts: ContextPart[];
}

export function contextUsage({ system, rules, tools, messages }: Turn): ContextUsage {
	const nothing = { system: [], rules: [], tools: [], messages: [] };
	const tokens = (part: Partial<Turn>) => promptTokens({ ...nothing, ...part });
	const parts = [
		{ id: "system_prompt", label: "System prompt", tokens: tokens({ system }), characters: lengthOf(system) },
		{ id: "rules", label: "Rules", tokens: tokens({ rules }), characters: lengthOf(rules) },
		{
			id: "tools",
			label: "Tools",
			tokens: tokens({ tools }),
			characters: lengthOf(tools.flatMap(({ name, description }) => [name, description])),
		},
		{
			id: "conversation",
			label: "Conversation",
			tokens: tokens({ messages }),
			characters: lengthOf(messages.flatMap(textsOf)),
		},
	];
	return { tokens: parts.reduce((sum, part) => sum + part.tokens, 0), parts };
}

export function contextTree({ parts }: ContextUsage): PromptContextUsageTree {
	const nodes = parts.map(({ id, label, tokens, characters }) => {
		return { id, kind: "category", label, categoryId: id, estimatedTokens: tokens, characterCount: characters };
	});
	return create(PromptContextUsageTreeSchema, { schemaVersion: SCHEMA_VERSION, nodes });
}

function lengthOf(texts: readonly string[]): number {
	return texts.reduce((length, text) => length + text.length, 0);
}

function textsOf({ content }: Message): string[] {
	return content.flatMap((part) => (part.type === "text" || part.type === "reasoning" ? [part.text] : []));
}

/** The newest context usage of each conversation. The oldest conversations are dropped. */
export class ContextUsages {
	readonly #usages = new Map<string, ContextUsage>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	keep(conversationId: string, usage: ContextUsage): void {
		this.#usages.delete(conversationId);
		this.#usages.set(conversationId, usage);
		if (this.#usages.size > this.#limit) this.#usages.delete(this.#usages.keys().next().value!);
	}

	of(conversationId: string): ContextUsage | undefined {
		return this.#usages.get(conversationId);
	}
}
