import { type BusyApi, schemaOf } from "./conversation.ts";

/** OpenAI's Chat Completions. */
export const chatApi: BusyApi = {
	path: "/v1/chat/completions",
	ask: (model, tools, content, before) => ({
		model,
		...(tools.length > 0 && {
			tools: tools.map((tool) => ({ type: "function", function: { name: tool.name, parameters: schemaOf(tool) } })),
		}),
		messages: [...(before?.messages ?? []), { role: "user", content }],
	}),
	calls: ({ choices }) =>
		(choices[0].message.tool_calls ?? []).map((call: { id: string; function: { name: string } }) => ({
			id: call.id,
			name: call.function.name,
		})),
	goOn: (request, { choices }, results) => ({
		...request,
		messages: [
			...request.messages,
			choices[0].message,
			...Array.from(results, ([tool_call_id, content]) => ({ role: "tool", tool_call_id, content })),
		],
	}),
};
