// Names that clients of OpenAI's API ask for, and wrong ones.
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";

const gatewayThatTellsItsModel = () =>
	startTestGateway({
		emulator: {
			async *brain(turn) {
				yield { text: turn.model.id };
			},
		},
	});

describe("a request of a client for OpenAI", () => {
	it.each([
		["gpt-4", "gpt-5.4"],
		["gpt-4o", "gpt-5.4"],
		["gpt-4.1", "gpt-5.4"],
		["gpt-5-codex", "gpt-5.4-codex"],
		["gpt-3.5-turbo", "default"],
		["o3-mini", "default"],
	])("for %s is answered by %s, and that is told", async (name, model) => {
		const answering = model === "default" ? "auto" : model;
		const gateway = await gatewayThatTellsItsModel();
		const client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1` });
		const messages = [{ role: "user" as const, content: "Say hello" }];
		const chat = await client.chat.completions.create({ model: name, messages }).withResponse();
		expect(chat.data).toMatchObject({ model: answering, choices: [{ message: { content: model } }] });
		expect(chat.response.headers.get("x-cursorwire-warnings")).toContain(`"${name}"; ${model} answers for it`);
		const response = await client.responses.create({ model: name, input: "Say hello" }).withResponse();
		expect(response.data).toMatchObject({ model: answering, output_text: model });
		expect(response.response.headers.get("x-cursorwire-warnings")).toContain(`${model} answers for it`);
	});
});

describe("the example of the seeds, with nothing but the address and the key changed", () => {
	it("works with the demo, streamed and not", async () => {
		const program = startProgram(["demo", "--json", "--port", "0"], { HOME: temporaryFolder() });
		const [, url, apiKey] = await program.prints(/"url":"([^"]+)","key":"([^"]+)"/);
		const client = new OpenAI({ apiKey, baseURL: `${url}/v1`, maxRetries: 0 });
		const completion = await client.chat.completions.create({
			model: "gpt-4o",
			messages: [{ role: "user", content: "Say hello" }],
		});
		expect(completion.choices[0]!.message.content).not.toBe("");
		const stream = await client.chat.completions.create({
			model: "gpt-4o",
			messages: [{ role: "user", content: "Say hello" }],
			stream: true,
		});
		let text = "";
		for await (const chunk of stream) text += chunk.choices[0]?.delta?.content || "";
		expect(text).toBe(completion.choices[0]!.message.content);
		program.child.kill("SIGTERM");
		expect((await program.ended).code).toBe(0);
	});
});

describe("a name that nobody knows", () => {
	const NEAR = "Did you mean gpt-5.4";

	it.each([
		["/v1/chat/completions", { messages: [{ role: "user", content: "x" }] }],
		["/v1/responses", { input: "x" }],
		["/v1/messages", { max_tokens: 9, messages: [{ role: "user", content: "x" }] }],
	])("is a 404 that suggests near ones: %s", async (path, body) => {
		const gateway = await gatewayThatTellsItsModel();
		for (const stream of [false, true]) {
			// What stands behind the name makes it no less near.
			for (const model of ["gtp-5.4", "gtp-5.4:multitask:max"]) {
				const answer = await gateway.post(path, { ...body, model, stream });
				expect(answer.status).toBe(404);
				expect(((await answer.json()) as { error: { message: string } }).error.message).toContain(NEAR);
			}
		}
	});

	it.each(["unified", "legacy"])("is one over the %s protocol", async (protocol) => {
		const gateway = await startTestGateway({ settings: { protocol } });
		const body = { model: "gtp-5.4", messages: [{ role: "user", content: "x" }] };
		const answer = await gateway.post("/v1/chat/completions", body);
		expect(answer.status).toBe(404);
		expect(((await answer.json()) as { error: { message: string } }).error.message).toContain(NEAR);
	});

	it("suggests nothing where nothing is near", async () => {
		const gateway = await gatewayThatTellsItsModel();
		const body = { model: "zzzzzzzzzzzzzzzz", messages: [{ role: "user", content: "x" }] };
		const answer = await gateway.post("/v1/chat/completions", body);
		expect(answer.status).toBe(404);
		expect(await answer.text()).not.toContain("Did you mean");
	});
});
