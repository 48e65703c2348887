import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";
import type { AnthropicTypes } from "./anthropic-types.ts";
import { publishedTypes } from "./published.ts";
import { play, SCENES, type Scene, TOOL } from "./scenes.ts";

const check = publishedTypes<AnthropicTypes>("anthropic-types.ts", "AnthropicTypes");
const violations = (type: keyof AnthropicTypes, values: unknown[]) =>
	values.flatMap((one) => check(type, one).violations);

/** An event that the API sends and the library keeps from its users, so its declarations do not have it. */
const isPing = ({ type }: { type: string }) => type === "ping";

describe.each(SCENES)("$name", (scene) => {
	it("is a Message", async () => {
		const { status, body } = await play(scene.brain, "/v1/messages", messagesBody(scene, false));
		if (scene.breaks) {
			expect(status).toBe(502);
			return expect(check("ErrorResponse", body)).toEqual({ violations: [], notes: [] });
		}
		expect(status).toBe(200);
		expect(violations("Message", [body])).toEqual([]);
		expect(body.stop_reason).toBe(scene.tools ? "tool_use" : scene.maxTokens ? "max_tokens" : "end_turn");
	});

	it("is RawMessageStreamEvents", async () => {
		const { events } = await play(scene.brain, "/v1/messages", messagesBody(scene, true));
		const errors = events.filter(({ type }) => type === "error");
		expect(errors).toHaveLength(scene.breaks ? 1 : 0);
		expect(violations("ErrorResponse", errors)).toEqual([]);
		const others = events.filter((event) => !isPing(event) && !errors.includes(event));
		expect(others[0].type).toBe("message_start");
		expect(violations("RawMessageStreamEvent", others)).toEqual([]);
		expect(events.at(-1).type).toBe(scene.breaks ? "error" : "message_stop");
	});
});

describe("besides answers", () => {
	it("errors are ErrorResponses", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const version = { "anthropic-version": "2023-06-01" };
		const asked = { messages: [{ role: "user", content: "x" }], max_tokens: 10 };
		const replies = [
			await gateway.post("/v1/messages", {}),
			await gateway.post("/v1/messages", { model: "no-such", ...asked }),
			await gateway.post("/v1/messages", { model: "composer-1", ...asked, thread: { type: "create" } }),
			await gateway.post("/v1/messages/count_tokens", { model: "composer-1" }),
			await gateway.fetch("/v1/models/no-such", { headers: version }),
			await gateway.fetch("/v1/models", { headers: { ...version, authorization: "Bearer wrong" } }),
		];
		expect(replies.map(({ status }) => status)).toEqual([400, 404, 400, 400, 404, 401]);
		const bodies = await Promise.all(replies.map((reply) => reply.json()));
		expect(bodies.map((body) => check("ErrorResponse", body))).toEqual(
			bodies.map(() => ({ violations: [], notes: [] })),
		);
	});

	it("models are ModelInfos, and counts are MessageTokensCounts", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const headers = { "anthropic-version": "2023-06-01" };
		const list = (await (await gateway.fetch("/v1/models", { headers })).json()) as { data: unknown[] };
		expect(list.data.length).toBeGreaterThan(1);
		expect(violations("ModelInfo", list.data)).toEqual([]);
		const one = await (await gateway.fetch("/v1/models/composer-1", { headers })).json();
		expect(violations("ModelInfo", [one])).toEqual([]);
		const asked = { model: "composer-1", messages: [{ role: "user", content: "hello" }] };
		const count = await (await gateway.post("/v1/messages/count_tokens", asked)).json();
		expect(check("MessageTokensCount", count)).toEqual({ violations: [], notes: [] });
	});

	it("null and nothing differ where it is known", async () => {
		const { body } = await play(SCENES[1]!.brain, "/v1/messages", messagesBody(SCENES[1]!, false));
		expect(check("Message", body).notes).toEqual([
			"/container is left out",
			"/content/citations is left out",
			"/diagnostics is left out",
			"/stop_details is left out",
			"/usage/cache_creation is left out",
			"/usage/inference_geo is left out",
			"/usage/server_tool_use is left out",
			"/usage/service_tier is left out",
			"/usage/speed is left out",
		]);
	});

	it("what is wrong is found", () => {
		expect(check("MessageTokensCount", { input_tokens: "5" }).violations).toEqual([
			expect.stringContaining("/input_tokens must be number"),
		]);
		const event = { type: "content_block_delta", index: 0, delta: { type: "text_delta", text: null } };
		expect(check("RawMessageStreamEvent", event).violations.join()).toContain("/delta/text must be string");
		expect(check("RawMessageStreamEvent", { type: "ping" }).violations).not.toEqual([]);
	});
});

function messagesBody({ tools, maxTokens = 1000 }: Scene, stream: boolean): object {
	const { name, description, schema } = TOOL;
	return {
		model: "composer-1",
		messages: [{ role: "user", content: "go" }],
		stream,
		max_tokens: maxTokens,
		...(tools && { tools: [{ name, description, input_schema: schema }] }),
	};
}
