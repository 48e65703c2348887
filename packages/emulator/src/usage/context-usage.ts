import { create } from "@bufbuild/protobuf";
import { type PromptContextUsageTree, PromptContextUsageTreeSchema } from "@cursorwire/protocol/agent";
import type { Turn } from "../brains/brain.ts";
import { promptTokens } from "./prompt-tokens.ts";

const SCHEMA_VERSION = 1;

/** What fills the model's window, part by part. */
export function contextUsage(turn: Pick<Turn, "system" | "rules" | "tools" | "messages">): PromptContextUsageTree {
	const nothing = { system: [], rules: [], tools: [], messages: [] };
	const node = (id: string, label: string, part: Partial<Turn>) => ({
		id,
		kind: "category",
		label,
		categoryId: id,
		estimatedTokens: promptTokens({ ...nothing, ...part }),
		characterCount: JSON.stringify(Object.values(part)[0]).length,
	});
	const { system, rules, tools, messages } = turn;
	return create(PromptContextUsageTreeSchema, {
		schemaVersion: SCHEMA_VERSION,
		nodes: [
			node("system_prompt", "System prompt", { system }),
			node("rules", "Rules", { rules }),
			node("tools", "Tools", { tools }),
			node("conversation", "Conversation", { messages }),
		],
	});
}

/** The newest of each conversation; the oldest conversations are forgotten. */
export class ContextUsages {
	readonly #trees = new Map<string, PromptContextUsageTree>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	keep(conversationId: string, tree: PromptContextUsageTree): void {
		this.#trees.delete(conversationId);
		this.#trees.set(conversationId, tree);
		if (this.#trees.size > this.#limit) this.#trees.delete(this.#trees.keys().next().value!);
	}

	of(conversationId: string): PromptContextUsageTree | undefined {
		return this.#trees.get(conversationId);
	}
}
