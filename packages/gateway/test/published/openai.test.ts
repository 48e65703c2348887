import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";
import type { OpenaiTypes } from "./openai-types.ts";
import { publishedTypes } from "./published.ts";
import { play, SCENES, type Scene, TOOL } from "./scenes.ts";

const check = publishedTypes<OpenaiTypes>("openai-types.ts", "OpenaiTypes", {
	addedByLibrary: ["Response.output_text"],
	// The list lacks codes that the API sends and clients look for, such as context_length_exceeded.
	openLists: ["ResponseError.code"],
});
const violations = (type: keyof OpenaiTypes, values: unknown[]) => values.flatMap((one) => check(type, one).violations);

describe.each(SCENES)("$name", (scene) => {
	it("is a ChatCompletion", async () => {
		const { status, body } = await play(scene.brain, "/v1/chat/completions", chatBody(scene, false));
		if (scene.breaks) {
			expect(status).toBe(502);
			return expect(check("ErrorObject", body.error)).toEqual({ violations: [], notes: [] });
		}
		expect(status).toBe(200);
		expect(violations("ChatCompletion", [body])).toEqual([]);
		const reason = scene.tools ? "tool_calls" : scene.maxTokens ? "length" : "stop";
		expect(body.choices[0].finish_reason).toBe(reason);
	});

	it("is ChatCompletionChunks", async () => {
		const { events } = await play(scene.brain, "/v1/chat/completions", chatBody(scene, true));
		const chunks = events.filter((event) => !("error" in event));
		expect(chunks.length).toBeGreaterThan(0);
		expect(violations("ChatCompletionChunk", chunks)).toEqual([]);
		const errors = events.flatMap(({ error }) => error ?? []);
		expect(errors).toHaveLength(scene.breaks ? 1 : 0);
		expect(violations("ErrorObject", errors)).toEqual([]);
	});

	it("is a Response", async () => {
		const { status, body } = await play(scene.brain, "/v1/responses", responsesBody(scene, false));
		if (scene.breaks) {
			expect(status).toBe(502);
			return expect(check("ErrorObject", body.error)).toEqual({ violations: [], notes: [] });
		}
		expect(status).toBe(200);
		expect(violations("Response", [body])).toEqual([]);
		expect(body.status).toBe(scene.maxTokens ? "incomplete" : "completed");
	});

	it("is ResponseStreamEvents", async () => {
		const { events } = await play(scene.brain, "/v1/responses", responsesBody(scene, true));
		expect(violations("ResponseStreamEvent", events)).toEqual([]);
		const end = scene.breaks ? "failed" : scene.maxTokens ? "incomplete" : "completed";
		expect(events.at(-1).type).toBe(`response.${end}`);
	});
});

describe("a call of a custom tool", () => {
	const body = { model: "composer-1", input: "look", tools: [{ type: "custom", name: "look", description: "Looks." }] };

	it.each([false, true])("is as published (stream: %s)", async (stream) => {
		const reply = await play(
			async function* ({ tools }) {
				yield { calls: [{ name: tools[0]!.name, arguments: { input: "any *text*" } }] };
			},
			"/v1/responses",
			{ ...body, stream },
		);
		expect(violations("ResponseStreamEvent", reply.events)).toEqual([]);
		const response = stream ? reply.events.at(-1).response : reply.body;
		expect(violations("Response", [response])).toEqual([]);
		expect(response.output).toMatchObject([{ type: "custom_tool_call", input: "any *text*" }]);
	});
});

describe("besides answers", () => {
	it("errors are ErrorObjects", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const replies = [
			await gateway.post("/v1/chat/completions", {}),
			await gateway.post("/v1/responses", { model: "composer-1", input: 5 }),
			await gateway.post("/v1/chat/completions", { model: "no-such", messages: [{ role: "user", content: "x" }] }),
			await gateway.post("/v1/responses", { model: "composer-1", input: "x", previous_response_id: "resp_none" }),
			await gateway.fetch("/v1/responses/resp_none"),
			await gateway.fetch("/v1/models/no-such"),
			await gateway.fetch("/v1/models", { headers: { authorization: "Bearer wrong" } }),
			await gateway.fetch("/v1/nothing"),
		];
		expect(replies.map(({ status }) => status)).toEqual([400, 400, 404, 400, 404, 404, 401, 404]);
		const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as { error: unknown }[];
		const found = bodies.map(({ error }) => check("ErrorObject", error));
		expect(found).toEqual(bodies.map(() => ({ violations: [], notes: [] })));
	});

	it("models are Models, and stored responses are Responses", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const list = (await (await gateway.fetch("/v1/models")).json()) as { data: unknown[] };
		expect(list.data.length).toBeGreaterThan(1);
		expect(violations("Model", list.data)).toEqual([]);
		const one = await (await gateway.fetch("/v1/models/composer-1")).json();
		expect(violations("Model", [one])).toEqual([]);
		const made = (await (await gateway.post("/v1/responses", { model: "composer-1", input: "x" })).json()) as {
			id: string;
		};
		const kept = await (await gateway.fetch(`/v1/responses/${made.id}`)).json();
		expect(violations("Response", [kept])).toEqual([]);
	});

	it("null and nothing differ where it is known", async () => {
		const notes = async (type: "ChatCompletion" | "Response", path: string, body: object) =>
			check(type, (await play(SCENES[1]!.brain, path, body)).body).notes;
		expect(await notes("ChatCompletion", "/v1/chat/completions", chatBody(SCENES[1]!, false))).toEqual([]);
		expect(await notes("Response", "/v1/responses", responsesBody(SCENES[1]!, false))).toEqual(["/user is null"]);
	});

	it("what is wrong is found", () => {
		expect(check("Model", { id: 5, object: "model", created: 0 }).violations).toEqual([
			expect.stringContaining("required property 'owned_by'"),
			expect.stringContaining("/id must be string"),
		]);
		const event = { type: "response.output_text.delta", sequence_number: 1, delta: 5 };
		expect(check("ResponseStreamEvent", event).violations.join()).toMatch(/'item_id'.*\/delta must be string/);
		expect(check("ResponseStreamEvent", { type: "response.done" }).violations).not.toEqual([]);
	});
});

function chatBody({ tools, maxTokens }: Scene, stream: boolean): object {
	const { name, description, schema } = TOOL;
	return {
		model: "composer-1",
		messages: [{ role: "user", content: "go" }],
		...(stream && { stream, stream_options: { include_usage: true } }),
		...(maxTokens && { max_completion_tokens: maxTokens }),
		...(tools && { tools: [{ type: "function", function: { name, description, parameters: schema } }] }),
	};
}

function responsesBody({ tools, maxTokens }: Scene, stream: boolean): object {
	const { name, description, schema } = TOOL;
	return {
		model: "composer-1",
		input: "go",
		stream,
		...(maxTokens && { max_output_tokens: maxTokens }),
		...(tools && { tools: [{ type: "function", name, description, parameters: schema }] }),
	};
}
