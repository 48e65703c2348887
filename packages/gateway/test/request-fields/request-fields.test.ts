// What becomes of the fields that clients send: every one that the vendors' libraries can send is in a table, and the
// gateway does what the table says.
import type { MessageCreateParamsBase } from "@anthropic-ai/sdk/resources/beta/messages/messages";
import type { ChatCompletionCreateParamsBase } from "openai/resources/chat/completions/completions";
import type { ResponseCreateParamsBase } from "openai/resources/responses/responses";
import { describe, expect, it } from "vitest";
import { chatRequestSchema } from "../../src/dialects/chat/schema.ts";
import { CHAT_FIELDS, type CHAT_WITHOUT_EFFECT } from "../../src/dialects/fields/chat-fields.ts";
import { MESSAGES_FIELDS, type MESSAGES_WITHOUT_EFFECT } from "../../src/dialects/fields/messages-fields.ts";
import type { RequestFields } from "../../src/dialects/fields/request-fields.ts";
import { RESPONSES_FIELDS, type RESPONSES_WITHOUT_EFFECT } from "../../src/dialects/fields/responses-fields.ts";
import { messagesRequestSchema } from "../../src/dialects/messages/schema.ts";
import { responsesRequestSchema } from "../../src/dialects/responses/schema.ts";
import { cursorFields } from "../../src/dialects/shared/cursor-wishes.ts";
import { startTestGateway } from "../kit/gateway.ts";

// The compiler refuses a table that lacks a field of the library.
const CHAT: Record<keyof ChatCompletionCreateParamsBase, unknown> & RequestFields = CHAT_FIELDS;
const RESPONSES: Record<keyof ResponseCreateParamsBase, unknown> & RequestFields = RESPONSES_FIELDS;
const MESSAGES: Record<keyof MessageCreateParamsBase, unknown> & RequestFields = MESSAGES_FIELDS;

const HELLO = [{ role: "user", content: "hello" }];

/** A value of each field that asks for something. */
const ASKING: Record<
	keyof typeof CHAT_WITHOUT_EFFECT | keyof typeof RESPONSES_WITHOUT_EFFECT | keyof typeof MESSAGES_WITHOUT_EFFECT,
	unknown
> = {
	temperature: 0,
	top_p: 0.5,
	top_k: 5,
	frequency_penalty: 1,
	presence_penalty: 1,
	seed: 1,
	logit_bias: { "1": 2 },
	logprobs: true,
	top_logprobs: 2,
	service_tier: "priority",
	verbosity: "low",
	modalities: ["text", "audio"],
	audio: { voice: "alloy", format: "wav" },
	prediction: { type: "content", content: "x" },
	moderation: { model: "omni-moderation-latest" },
	truncation: "auto",
	background: true,
	max_tool_calls: 1,
	speed: "fast",
	context_management: [{ type: "compaction" }],
	mcp_servers: [{ type: "url", name: "x", url: "https://x.test" }],
	container: { skills: [] },
	inference_geo: "eu",
	fallbacks: [{ model: "x" }],
	fallback_credit_token: "t",
	diagnostics: { previous_message_id: "m" },
};

const REFUSED: Record<string, unknown> = {
	conversation: "conv_1",
	prompt: { id: "p" },
	thread: { type: "create" },
	compaction: { type: "x" },
};

const APIS = [
	{
		name: "Chat Completions",
		path: "/v1/chat/completions",
		fields: CHAT,
		schema: chatRequestSchema.shape,
		body: { model: "composer-1", messages: HELLO },
		// Clients of some proxies send it.
		unlisted: ["system"],
	},
	{
		name: "Responses",
		path: "/v1/responses",
		fields: RESPONSES,
		schema: responsesRequestSchema.shape,
		body: { model: "composer-1", input: "hello" },
		unlisted: [],
	},
	{
		name: "Messages",
		path: "/v1/messages",
		fields: MESSAGES,
		schema: messagesRequestSchema.shape,
		body: { model: "composer-1", messages: HELLO, max_tokens: 100 },
		unlisted: [],
	},
];

describe.each(APIS)("$name", ({ path, fields, schema, body, unlisted }) => {
	const start = async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		return (more: object) => gateway.post(path, { ...body, ...more });
	};
	const ofFate = (fate: string) => Object.keys(fields).filter((name) => fields[name]!.fate === fate);

	it("has every field that is read in its table", () => {
		const own = [...Object.keys(cursorFields), ...unlisted];
		expect(Object.keys(schema).filter((name) => !(name in fields) && !own.includes(name))).toEqual([]);
	});

	it("names every field without effect, and is silent about the values that ask for nothing", async () => {
		const send = await start();
		for (const name of ofFate("without effect")) {
			const value = ASKING[name as keyof typeof ASKING];
			// Messages has an object under this name, Responses a list.
			const isEdits = name === "context_management" && path === "/v1/messages";
			const asked = await send({ [name]: isEdits ? { edits: value } : value });
			expect([name, asked.status, asked.headers.get("x-cursorwire-warnings")]).toEqual([
				...[name, 200, `${name} has no effect`],
			]);
			const field = fields[name]!;
			for (const idle of field.fate === "without effect" ? field.asksForNothing : []) {
				const value = name === "modalities" ? [idle] : idle === "" ? [] : idle;
				const answer = await send({ [name]: value });
				expect([name, value, answer.headers.get("x-cursorwire-warnings")]).toEqual([name, value, null]);
			}
		}
	});

	it("refuses by name what it refuses", async () => {
		const send = await start();
		for (const name of ofFate("refused")) {
			const answer = await send({ [name]: REFUSED[name] });
			expect(answer.status).toBeGreaterThanOrEqual(400);
			expect(answer.status).toBeLessThan(500);
			expect(await answer.text()).toContain(name);
		}
	});

	it("takes hints without a word", async () => {
		const send = await start();
		for (const name of ofFate("hint")) {
			const value = name === "store" ? true : name === "metadata" ? {} : name === "stream_options" ? {} : "x";
			const answer = await send({ [name]: value });
			expect([name, answer.status, answer.headers.get("x-cursorwire-warnings")]).toEqual([name, 200, null]);
		}
	});
});

describe("parts of honoured fields that have no effect are named", () => {
	it.each([
		["/v1/chat/completions", { reasoning: { effort: "low", exclude: true } }, "reasoning.exclude"],
		["/v1/responses", { text: { verbosity: "low" } }, "text.verbosity"],
		["/v1/responses", { generate: false }, "generate"],
		["/v1/messages", { thinking: { type: "adaptive", display: "omitted" } }, "thinking.display"],
		["/v1/messages", { output_config: { task_budget: { type: "tokens", total: 5 } } }, "output_config.task_budget"],
	])("%s %j", async (path, more, named) => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const { body } = APIS.find((api) => api.path === path)!;
		const answer = await gateway.post(path, { ...body, ...more });
		expect(answer.headers.get("x-cursorwire-warnings")).toContain(`${named} has no effect`);
	});
});

describe("thinking, in each form", () => {
	const MODEL = "claude-4.6-opus";
	it.each([
		["/v1/chat/completions", { reasoning_effort: "high" }, "high"],
		["/v1/chat/completions", { reasoning: { effort: "low" } }, "low"],
		["/v1/chat/completions", { reasoning: { max_tokens: 20_000 } }, "high"],
		["/v1/chat/completions", { reasoning: { enabled: false, effort: "high" } }, "off"],
		["/v1/messages", { thinking: { type: "adaptive" }, output_config: { effort: "high" } }, "high"],
		["/v1/messages", { thinking: { type: "enabled", budget_tokens: 5_000 } }, "medium"],
		["/v1/messages", { thinking: { type: "disabled" } }, "off"],
	])("%s %j", async (path, more, effort) => {
		const gateway = await startTestGateway({
			emulator: {
				brain: async function* ({ model: { parameters } }) {
					yield { text: parameters.thinking === "true" ? String(parameters.effort) : "off" };
				},
			},
		});
		const { body } = APIS.find((api) => api.path === path)!;
		const answer = await gateway.post(path, { ...body, model: MODEL, ...more });
		expect(await answer.text()).toContain(`"${effort}"`);
	});
});
