// What tests of every dialect need to know of each.
import { expect } from "vitest";
import { readSse, readSseByUnicodeLines } from "../dialects/sse.ts";
import type { RawResponse } from "./raw-client.ts";
import { CHAT, expectAnyRefusal, expectRefusal, say } from "./rig.ts";

export interface DialectForm {
	path: string;
	/** A body that the gateway answers. */
	say(content: unknown, more?: object): object;
	/** A body with whatever the dialect has, answered as well. */
	elaborate: object;
	answerOf(response: RawResponse): string;
	/** The text of a streamed answer, which must be whole. */
	streamedOf(body: string): string;
	/** A tool with this schema. */
	tool(name: string, schema: object): object;
	image(url: string): object;
	/** Expects a refusal in the dialect's form, and gives the place that it names. */
	refusal(response: RawResponse, ...statuses: number[]): string;
	/** A field that takes a whole number. */
	numberField: string;
}

const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const DATA_URL = `data:image/png;base64,${PNG}`;
const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };

const ELABORATE_CHAT = {
	model: "composer-1",
	messages: [
		{ role: "system", content: [{ type: "text", text: "Be kind." }] },
		{
			role: "user",
			name: "ada",
			content: [
				{ type: "text", text: "look" },
				{ type: "image_url", image_url: { url: DATA_URL, detail: "low" } },
			],
		},
		{
			role: "assistant",
			content: null,
			reasoning_content: "hm",
			tool_calls: [{ id: "call_1", type: "function", function: { name: "read", arguments: '{"path":"a"}' } }],
		},
		{ role: "tool", tool_call_id: "call_1", content: "text of a" },
		{ role: "user", content: "hello" },
	],
	tools: [
		{
			type: "function",
			function: {
				name: "read",
				description: "reads",
				strict: true,
				parameters: SCHEMA,
			},
		},
	],
	tool_choice: {
		type: "allowed_tools",
		allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "read" } }] },
	},
	parallel_tool_calls: false,
	stream: false,
	stream_options: { include_usage: true },
	stop: ["END"],
	max_completion_tokens: 100,
	response_format: { type: "text" },
	reasoning_effort: "low",
	n: 1,
	user: "u",
	metadata: { a: "b" },
	seed: 1,
	temperature: 0.5,
	top_p: 1,
	logit_bias: { "1": 1 },
};

const ELABORATE_RESPONSE = {
	model: "composer-1",
	instructions: "Be kind.",
	input: [
		{ type: "message", role: "developer", content: [{ type: "input_text", text: "Be brief." }] },
		{
			role: "user",
			content: [
				{ type: "input_text", text: "look" },
				{ type: "input_image", image_url: DATA_URL, detail: "low" },
			],
		},
		{ type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "x" },
		{ type: "function_call", id: "fc_1", call_id: "call_1", name: "read", arguments: '{"path":"a"}' },
		{ type: "function_call_output", call_id: "call_1", output: "text of a" },
		{ type: "custom_tool_call", id: "ctc_1", call_id: "call_2", name: "patch", input: "*** Begin" },
		{ type: "custom_tool_call_output", call_id: "call_2", output: [{ type: "input_text", text: "done" }] },
		{ type: "additional_tools", role: "developer", tools: [{ type: "function", name: "more", parameters: SCHEMA }] },
		{ role: "user", content: "hello" },
	],
	tools: [
		{ type: "function", name: "read", description: "reads", strict: true, parameters: SCHEMA },
		{ type: "custom", name: "patch", format: { type: "grammar", syntax: "lark", definition: "start: /.+/" } },
		{ type: "namespace", name: "mcp", tools: [{ type: "function", name: "find", parameters: SCHEMA }] },
		{ type: "web_search" },
	],
	tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "read" }] },
	parallel_tool_calls: false,
	stream: false,
	store: false,
	text: { format: { type: "text" }, verbosity: "low" },
	reasoning: { effort: "low", summary: "auto" },
	include: ["reasoning.encrypted_content"],
	max_output_tokens: 100,
	truncation: "auto",
	metadata: { a: "b" },
	user: "u",
	prompt_cache_key: "k",
	temperature: 0.5,
};

const ELABORATE_MESSAGE = {
	model: "composer-1",
	max_tokens: 100,
	system: [{ type: "text", text: "Be kind.", cache_control: { type: "ephemeral" } }],
	messages: [
		{
			role: "user",
			content: [
				{ type: "text", text: "look" },
				{ type: "image", source: { type: "base64", media_type: "image/png", data: PNG } },
				{ type: "document", source: { type: "text", media_type: "text/plain", data: "words" }, title: "a" },
			],
		},
		{
			role: "assistant",
			content: [
				{ type: "thinking", thinking: "hm", signature: "s" },
				{ type: "redacted_thinking", data: "x" },
				{ type: "tool_use", id: "toolu_1", name: "read", input: { path: "a" } },
			],
		},
		{
			role: "user",
			content: [
				{
					type: "tool_result",
					tool_use_id: "toolu_1",
					content: [{ type: "text", text: "text of a" }],
					is_error: false,
				},
			],
		},
		{ role: "system", content: "Remember." },
		{ role: "user", content: "hello" },
	],
	tools: [
		{ name: "read", description: "reads", input_schema: SCHEMA, defer_loading: false },
		{ type: "web_search_20250305", name: "web_search", max_uses: 5 },
	],
	tool_choice: { type: "auto", disable_parallel_tool_use: true },
	thinking: { type: "enabled", budget_tokens: 2000 },
	output_config: { effort: "low" },
	stop_sequences: ["END"],
	stream: false,
	metadata: { user_id: "u" },
	temperature: 1,
};

/** The data of each event, which has to be the same for clients that split lines by Unicode's rules. */
const events = (body: string) => {
	const read = readSse(body);
	expect(readSseByUnicodeLines(body)).toEqual(read);
	for (const { event } of read) expect(event ?? "").toMatch(/^[a-z_.]*$/);
	return read.map(({ data }) => data);
};

const chat: DialectForm = {
	path: CHAT,
	say,
	elaborate: ELABORATE_CHAT,
	answerOf: ({ body }) => JSON.parse(body).choices[0].message.content,
	streamedOf(body) {
		const all = events(body);
		expect(all.at(-1)).toBe("[DONE]");
		return all
			.slice(0, -1)
			.map((data) => JSON.parse(data).choices[0]?.delta.content ?? "")
			.join("");
	},
	tool: (name, parameters) => ({ type: "function", function: { name, parameters } }),
	image: (url) => ({ type: "image_url", image_url: { url } }),
	refusal: (response, ...statuses) => expectRefusal(response, ...statuses).param ?? "",
	numberField: "max_tokens",
};

const responses: DialectForm = {
	path: "/v1/responses",
	say: (content, more) => ({ model: "composer-1", store: false, input: [{ role: "user", content }], ...more }),
	elaborate: ELABORATE_RESPONSE,
	answerOf: ({ body }) => JSON.parse(body).output.at(-1).content[0].text,
	streamedOf(body) {
		const all = events(body).map((data) => JSON.parse(data));
		expect(all.at(-1).type).toBe("response.completed");
		return all.map(({ type, delta }) => (type === "response.output_text.delta" ? delta : "")).join("");
	},
	tool: (name, parameters) => ({ type: "function", name, parameters }),
	image: (image_url) => ({ type: "input_image", image_url }),
	refusal: (response, ...statuses) => expectRefusal(response, ...statuses).param ?? "",
	numberField: "max_output_tokens",
};

const messages: DialectForm = {
	path: "/v1/messages",
	say: (content, more) => ({
		model: "composer-1",
		max_tokens: 1_000_000,
		messages: [{ role: "user", content }],
		...more,
	}),
	elaborate: ELABORATE_MESSAGE,
	answerOf: ({ body }) => JSON.parse(body).content.at(-1).text,
	streamedOf(body) {
		const all = events(body).map((data) => JSON.parse(data));
		expect(all.at(-1).type).toBe("message_stop");
		return all.map(({ delta }) => delta?.text ?? "").join("");
	},
	tool: (name, input_schema) => ({ name, input_schema }),
	image: (url) => ({ type: "image", source: { type: "url", url } }),
	refusal(response, ...statuses) {
		expectAnyRefusal(response, ...statuses);
		const { type, error } = JSON.parse(response.body);
		expect(type, response.body).toBe("error");
		// This API has no field for the place: it stands where the message begins.
		return error.message.split(/:? /)[0];
	},
	numberField: "max_tokens",
};

export const DIALECT_FORMS: DialectForm[] = [chat, responses, messages];
/** Those that have no file of tests to themselves. */
export const OTHER_FORMS: DialectForm[] = [responses, messages];
