import type { ResponsesRequestBody, ResponsesTool } from "./schema.ts";

/** The settings of a request as its response repeats them. Clients check that they are all there. */
export type ResponseEcho = ReturnType<typeof echoOf>;

/** What a response repeats of its request. */
export function echoOf(body: ResponsesRequestBody) {
	return wellFormedJson({
		model: body.model,
		instructions: body.instructions ?? null,
		previous_response_id: body.previous_response_id ?? null,
		tools: (body.tools ?? []).flatMap(echoTool),
		tool_choice: body.tool_choice ?? "auto",
		parallel_tool_calls: body.parallel_tool_calls ?? true,
		text: { format: echoFormat(body), verbosity: body.text?.verbosity ?? "medium" },
		reasoning: { effort: body.reasoning?.effort ?? null, summary: body.reasoning?.summary ?? null },
		temperature: body.temperature ?? 1,
		top_p: body.top_p ?? 1,
		presence_penalty: 0,
		frequency_penalty: 0,
		top_logprobs: body.top_logprobs ?? 0,
		max_output_tokens: body.max_output_tokens ?? null,
		max_tool_calls: body.max_tool_calls ?? null,
		truncation: body.truncation ?? "disabled",
		store: body.store ?? true,
		background: false,
		service_tier: "default",
		metadata: body.metadata ?? {},
		safety_identifier: body.safety_identifier ?? null,
		prompt_cache_key: body.prompt_cache_key ?? null,
		user: body.user ?? null,
	});
}

/** Tools that are left aside are not repeated. */
function echoTool(tool: ResponsesTool): object[] {
	switch (tool.type) {
		case "function":
			return [
				{
					type: tool.type,
					name: tool.name,
					description: tool.description ?? null,
					parameters: tool.parameters ?? null,
					strict: tool.strict ?? null,
				},
			];
		case "custom":
			return [
				{
					type: tool.type,
					name: tool.name,
					description: tool.description ?? "",
					format: tool.format ?? { type: "text" },
				},
			];
		case "namespace":
			return [
				{
					type: tool.type,
					name: tool.name,
					description: tool.description ?? "",
					tools: tool.tools.flatMap(echoTool),
				},
			];
		case "web_search":
			return [{ type: tool.type }];
		case "other":
			return [];
	}
}

function echoFormat({ text }: ResponsesRequestBody): object {
	const format = text?.format;
	if (format?.type === "json_object") return { type: "json_object" };
	if (format?.type !== "json_schema" || !format.schema) return { type: "text" };
	const { name, description, schema, strict } = format;
	return {
		type: "json_schema",
		name: name ?? "response",
		description: description ?? null,
		schema,
		strict: strict ?? false,
	};
}

/** The value with U+FFFD for each lone surrogate, in keys too: strict readers refuse JSON that holds one. */
export function wellFormedJson<T>(value: T): T {
	const json = JSON.stringify(value);
	const repaired = withoutHalfPairs(json);
	return repaired === json ? value : (JSON.parse(repaired) as T);
}

/** JSON with U+FFFD for each lone surrogate. */
export function withoutHalfPairs(json: string): string {
	if (!json.includes("\\ud")) return json;
	// Only halves of pairs are written as escapes; each escape is read whole, so that `\\ud800` stays as it is.
	return json.replace(/\\(?:ud[89a-f][0-9a-f]{2}|.)/g, (written) => (written.length === 6 ? "\\ufffd" : written));
}
