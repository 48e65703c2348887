import type { ToolDefinition, TurnMessage } from "../../src/turn/request.ts";
import { chatClient } from "../kit/dialects/chat-client.ts";
import { type Asked, askIn } from "../kit/dialects/dialect-client.ts";
import type { TestGateway } from "../kit/gateway.ts";
import { result, user } from "../kit/upstream.ts";

/** What one response showed to a client, without its words. */
export interface Seen extends Record<string, unknown> {
	usage: object;
}

export interface Conversation {
	tools: ToolDefinition[];
	/** Stands in the question, the rules and the results of tools. */
	word?: string;
	/** While the client's tools are at work. */
	toolsRun?(): Promise<void>;
}

/** Asks, answers calls, and tells how each response ended. */
export async function converse(gateway: TestGateway, { tools, word = "it", toolsRun }: Conversation): Promise<Seen[]> {
	const messages: TurnMessage[] = [user(`a question about ${word}`)];
	const seen: Seen[] = [];
	for (;;) {
		const request: Asked = { messages, tools, system: [`rules of ${word}`] };
		const { events, calls, turn, error } = await askIn(chatClient, gateway, request);
		// In how many pieces it comes depends on the network.
		const kinds = events.map(({ type }) => type).filter((type) => !type.endsWith("-delta"));
		seen.push({
			kinds,
			end: turn.end?.reason,
			error: error?.kind,
			usage: turn.usage,
			names: calls.map(({ name }) => name),
		});
		if (calls.length === 0) return seen;
		messages.push({ role: "assistant", content: turn.content });
		await toolsRun?.();
		messages.push({ role: "tool", content: calls.map(({ id }) => result(id, `result of ${word}`)) });
	}
}

/** Masked texts have other tokens than the words they stand for. */
export const withoutUsage = ({ usage: _, ...rest }: Seen) => rest;
