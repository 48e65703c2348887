import { type BusyApi, schemaOf } from "./conversation.ts";

interface Block {
	type: string;
	id: string;
	name: string;
}

const MOST_TOKENS = 4_096;

/** Anthropic's Messages. */
export const messagesApi: BusyApi = {
	path: "/v1/messages",
	ask: (model, tools, content, before) => ({
		model,
		max_tokens: MOST_TOKENS,
		tools: tools.map((tool) => ({ name: tool.name, input_schema: schemaOf(tool) })),
		messages: [...(before?.messages ?? []), { role: "user", content }],
	}),
	calls: ({ content }) => content.filter(({ type }: Block) => type === "tool_use"),
	goOn: (request, { content }, results) => ({
		...request,
		messages: [
			...request.messages,
			{ role: "assistant", content },
			...(results.size > 0
				? [
						{
							role: "user",
							content: Array.from(results, ([id, text]) => ({ type: "tool_result", tool_use_id: id, content: text })),
						},
					]
				: []),
		],
	}),
};
