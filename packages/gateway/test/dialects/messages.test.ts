// What only the Messages API has: threads, token counts, its own list of models, names of models that nobody lists.
import { request as httpRequest } from "node:http";
import { describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

const HELLO = { model: "composer-1", max_tokens: 100, messages: [{ role: "user", content: "hello" }] };

async function ask(gateway: TestGateway, body: object, path = "/v1/messages", headers: Record<string, string> = {}) {
	const response = await gateway.post(path, { ...HELLO, ...body }, { headers });
	return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

const echo = () => startTestGateway({ emulator: { brain: "echo" } });

describe("a request", () => {
	it("with a thread is refused in the words that make the SDK send whole histories", async () => {
		const { status, body } = await ask(await echo(), { thread: { type: "create" } });
		expect(status).toBe(400);
		expect(body.error).toMatchObject({
			type: "invalid_request_error",
			details: { error_code: "thread_unsupported_request" },
		});
	});

	it("is taken with any version and any beta, and each answer has an id", async () => {
		const headers = { "anthropic-version": "2099-01-01", "anthropic-beta": "a-2025-01-01,b-2099-12-31" };
		const answer = await ask(await echo(), {}, "/v1/messages?beta=true", headers);
		expect(answer.status).toBe(200);
		expect(answer.headers.get("request-id")).toMatch(/^req_/);
		expect(answer.body.content).toEqual([{ type: "text", text: "hello" }]);
	});

	it("is taken below every base URL that a client may have been given", async () => {
		const gateway = await echo();
		for (const base of ["", "/v1", "/v1/v1"]) {
			expect((await ask(gateway, {}, `${base}/messages`)).body.content, base).toEqual([
				{ type: "text", text: "hello" },
			]);
			expect((await ask(gateway, { messages: 5 }, `${base}/messages`)).body.type, base).toBe("error");
		}
	});

	it("is refused in Anthropic's form with an id, before and after it is read", async () => {
		const gateway = await echo();
		for (const [body, headers] of [
			[{ messages: 5 }, {}],
			[{}, { authorization: "Bearer cw_wrong" }],
			[{ model: "no-such-model" }, {}],
		] as const) {
			const { status, headers: got, body: error } = await ask(gateway, body, "/v1/messages", headers);
			expect(status).toBeGreaterThanOrEqual(400);
			expect(error).toMatchObject({ type: "error", request_id: expect.stringMatching(/^req_/) });
			expect(got.get("request-id")).toBe(error.request_id);
		}
	});

	it("works with and without /v1, and with either header for the key", async () => {
		const gateway = await echo();
		for (const path of ["/v1/messages", "/messages"]) {
			expect((await ask(gateway, {}, path)).status).toBe(200);
			expect((await ask(gateway, {}, path, { authorization: "", "x-api-key": gateway.key })).status).toBe(200);
		}
	});

	it.each([
		["claude-sonnet-4-6", "claude-4.6-sonnet", ""],
		["claude-opus-4-1-20250805", "claude-4.6-opus", "claude-4.6-opus answers for it"],
		["claude-haiku-4-5-20251001", "default", "default answers for it"],
	])("for %s is answered by %s, and says so", async (name, model, warning) => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					yield { text: turn.model.id };
				},
			},
		});
		const answer = await ask(gateway, { model: name });
		expect(answer.body).toMatchObject({ model: model.replace("default", "auto"), content: [{ text: model }] });
		expect(answer.headers.get("x-cursorwire-warnings") ?? "").toContain(warning);
	});

	it("for a name of the user's own goes where the configuration says", async () => {
		const gateway = await startTestGateway({
			settings: { modelAliases: { "claude-haiku-*": "grok-code" } },
			emulator: {
				async *brain(turn) {
					yield { text: turn.model.id };
				},
			},
		});
		expect((await ask(gateway, { model: "claude-haiku-4-5" })).body.content[0].text).toBe("grok-code");
	});
});

describe("tokens", () => {
	it("are counted: more for more, and nothing is run for it", async () => {
		const gateway = await echo();
		const count = async (body: object) => (await ask(gateway, body, "/v1/messages/count_tokens")).body.input_tokens;
		const plain = await count({});
		const tools = [{ name: "look", description: "Looks.", input_schema: { type: "object", properties: {} } }];
		expect(plain).toBeGreaterThan(0);
		expect(await count({ system: "Be kind." })).toBeGreaterThan(plain);
		expect(await count({ tools })).toBeGreaterThan(plain);
		expect(await count({ messages: [{ role: "user", content: "hello ".repeat(1000) }] })).toBeGreaterThan(1000);
		expect(gateway.emulator.stats().runs.started).toBe(0);
		const { status, body } = await ask(gateway, { messages: 5 }, "/v1/messages/count_tokens");
		expect({ status, type: body.error.type }).toEqual({ status: 400, type: "invalid_request_error" });
	});
});

describe("models", () => {
	const anthropic = { "anthropic-version": "2023-06-01" };
	const get = async (gateway: TestGateway, path: string, headers: Record<string, string> = anthropic) => {
		const response = await gateway.fetch(path, { headers });
		return { status: response.status, body: JSON.parse(await response.text()) };
	};

	it("are listed in Anthropic's form to who asks that way, and in OpenAI's to others", async () => {
		const gateway = await echo();
		const { body: all } = await get(gateway, "/v1/models?limit=1000");
		expect(all).toMatchObject({ has_more: false, first_id: all.data[0].id, last_id: all.data.at(-1).id });
		for (const model of all.data) expect(model).toMatchObject({ type: "model", display_name: expect.any(String) });
		const { body: openai } = await get(gateway, "/v1/models", {});
		expect(openai.object).toBe("list");
		expect(openai.data.map(({ id }: { id: string }) => id)).toEqual(all.data.map(({ id }: { id: string }) => id));
	});

	it("come in pages, forwards and backwards", async () => {
		const gateway = await echo();
		const { body: all } = await get(gateway, "/v1/models?limit=1000");
		const ids = all.data.map(({ id }: { id: string }) => id);
		const page = async (query: string) => {
			const { body } = await get(gateway, `/v1/models?${query}`);
			return [body.data.map(({ id }: { id: string }) => id), body.has_more];
		};
		expect(await page("limit=2")).toEqual([ids.slice(0, 2), true]);
		expect(await page(`limit=2&after_id=${ids[1]}`)).toEqual([ids.slice(2, 4), true]);
		expect(await page(`limit=2&after_id=${ids.at(-2)}`)).toEqual([ids.slice(-1), false]);
		expect(await page(`limit=2&before_id=${ids[3]}`)).toEqual([ids.slice(1, 3), true]);
		expect(await page(`limit=2&before_id=${ids[1]}`)).toEqual([ids.slice(0, 1), false]);
		for (const query of ["limit=0", "limit=x", "limit=1001", "after_id=no-such"]) {
			expect(await get(gateway, `/v1/models?${query}`)).toMatchObject({ status: 400, body: { type: "error" } });
		}
	});

	it("are found by name, and refused in Anthropic's form", async () => {
		const gateway = await echo();
		const found = await get(gateway, "/v1/models/claude-4.6-opus");
		expect(found.body).toMatchObject({ type: "model", id: "claude-4.6-opus", display_name: "Opus 4.6" });
		const unknown = await get(gateway, "/v1/models/no-such-model");
		expect(unknown).toMatchObject({ status: 404, body: { type: "error", error: { type: "not_found_error" } } });
	});
});

it("answers the question whether anybody is there without a key", async () => {
	const { url } = await echo();
	const status = await new Promise((resolve, reject) => {
		httpRequest(`${url}/api/hello`, { method: "HEAD" }, (response) => resolve(response.statusCode))
			.on("error", reject)
			.end();
	});
	expect(status).toBe(200);
});
