import { type BusyApi, schemaOf } from "./conversation.ts";

interface Item {
	type: string;
	call_id: string;
	name: string;
}

/** OpenAI's Responses. */
export const responsesApi: BusyApi = {
	path: "/v1/responses",
	ask: (model, tools, content, before) => ({
		model,
		store: false,
		tools: tools.map((tool) => ({ type: "function", name: tool.name, parameters: schemaOf(tool) })),
		input: [...(before?.input ?? []), { role: "user", content }],
	}),
	calls: ({ output }) =>
		output
			.filter(({ type }: Item) => type === "function_call")
			.map(({ call_id, name }: Item) => ({ id: call_id, name })),
	goOn: (request, { output }, results) => ({
		...request,
		input: [
			...request.input,
			...output,
			...Array.from(results, ([call_id, text]) => ({ type: "function_call_output", call_id, output: text })),
		],
	}),
};
