// What only the Responses API has: responses that are kept and named again, items of its own, freeform tools.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { readSse } from "../kit/dialects/sse.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

const MODEL = "composer-1";
/** Says what it was told, and how many messages came before. */
const remembering: Brain = async function* (turn) {
	yield {
		text: `${turn.messages.map(({ content }) => content.map((part) => ("text" in part ? part.text : "")).join("")).join("|")}`,
	};
};

async function ask(gateway: TestGateway, body: object, path = "/v1/responses") {
	const response = await gateway.post(path, { model: MODEL, ...body });
	return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

async function get(gateway: TestGateway, path: string, method = "GET") {
	const response = await gateway.fetch(path, { method });
	return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("a response that is kept", () => {
	it("can be named by the next request, as often as wanted, also after a restart", async () => {
		const gateway = await startTestGateway({ emulator: { brain: remembering } });
		const first = await ask(gateway, { input: "one" });
		const second = await ask(gateway, { input: "two", previous_response_id: first.body.id });
		expect(second.body.previous_response_id).toBe(first.body.id);
		expect(second.body.output[0].content[0].text).toBe("one|one|two");
		const branch = await ask(gateway, { input: "zwei", previous_response_id: first.body.id });
		expect(branch.body.output[0].content[0].text).toBe("one|one|zwei");
		await gateway.gateway.close();
		const again = await startTestGateway({ emulator: { brain: remembering }, settings: { dataDir: gateway.dataDir } });
		const third = await ask(again, { input: "three", previous_response_id: second.body.id });
		expect(third.body.output[0].content[0].text).toBe("one|one|two|one|one|two|three");
	});

	it("is found by a client that never speaks of storing, as VS Code is since 1.134", async () => {
		const read: string[] = [];
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					read.push(JSON.stringify(turn.messages));
					if (read.length > 1) return yield { text: "It is black." };
					yield { calls: [{ name: "look", arguments: { at: "sky" } }] };
					yield { text: "It is blue." };
				},
			},
		});
		const tools = [
			{ type: "function", name: "look", parameters: { type: "object", properties: { at: { type: "string" } } } },
		];
		// Its requests: a stream, encrypted reasoning wanted, no store; from turn 2 on only what follows the named response.
		const turn = async (input: object[], previous?: string) => {
			const body = {
				model: MODEL,
				input,
				tools,
				stream: true,
				include: ["reasoning.encrypted_content"],
				truncation: "disabled",
			};
			const named = previous === undefined ? {} : { previous_response_id: previous };
			const response = await gateway.post("/v1/responses", { ...body, ...named });
			expect(response.status).toBe(200);
			const last = JSON.parse(readSse(await response.text()).at(-1)!.data);
			expect(last.type).toBe("response.completed");
			return last.response as { id: string; store: boolean; output: { type: string; call_id?: string }[] };
		};
		const user = (text: string) => ({ role: "user", content: [{ type: "input_text", text }] });
		const first = await turn([{ role: "system", content: "Be brief." }, user("What colour is the sky?")]);
		expect(first.store).toBe(true);
		const call = first.output.find(({ type }) => type === "function_call")!;
		const second = await turn(
			[{ type: "function_call_output", call_id: call.call_id, output: "blue" } as object],
			first.id,
		);
		const third = await turn([user("And at night?")], second.id);
		expect(third.id).toMatch(/^resp_/);
		for (const text of ["What colour is the sky?", "It is blue.", "And at night?"]) {
			expect(read.at(-1)).toContain(text);
		}
	});

	it("is kept before the end of its stream can be read", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		for (let round = 0; round < 10; round++) {
			const stream = await (await gateway.post("/v1/responses", { model: MODEL, input: "x", stream: true })).text();
			const id = /"id":"(resp_[^"]+)"/.exec(stream)![1]!;
			expect((await get(gateway, `/v1/responses/${id}`)).status).toBe(200);
		}
	});

	it("can be read, listed and deleted", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const { body: made } = await ask(gateway, { input: "hello", instructions: "Be kind.", metadata: { a: "b" } });
		const path = `/v1/responses/${made.id}`;
		expect((await get(gateway, path)).body).toEqual(made);
		const { body: items } = await get(gateway, `${path}/input_items?limit=1&order=asc`);
		expect(items).toMatchObject({ object: "list", has_more: false, data: [{ role: "user", type: "message" }] });
		const cancelled = await ask(gateway, {}, `${path}/cancel`);
		expect(cancelled).toMatchObject({ status: 400, body: { error: { param: "response_id" } } });
		expect((await get(gateway, path, "DELETE")).body).toEqual({ id: made.id, object: "response", deleted: true });
		for (const [suffix, method] of [
			["", "GET"],
			["", "DELETE"],
			["/input_items", "GET"],
		] as const) {
			const gone = await get(gateway, `${path}${suffix}`, method);
			expect(gone).toMatchObject({ status: 404, body: { error: { code: "not_found", param: "response_id" } } });
		}
		const next = await ask(gateway, { input: "x", previous_response_id: made.id });
		expect(next).toMatchObject({ status: 400, body: { error: { code: "previous_response_not_found" } } });
	});

	it("is not there where the client wanted none, and where the answer failed", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const { body: unkept } = await ask(gateway, { input: "hello", store: false });
		expect((await get(gateway, `/v1/responses/${unkept.id}`)).status).toBe(404);
		const cut = await startTestGateway({
			emulator: {
				async *brain() {
					yield { text: "half " };
					yield { delay: 20 };
					yield { drop: true };
				},
			},
		});
		const stream = await (await cut.post("/v1/responses", { model: MODEL, input: "x", stream: true })).text();
		expect(stream).toContain("event: response.failed");
		expect(stream).not.toContain("response.completed");
		const id = /"id":"(resp_[^"]+)"/.exec(stream)![1]!;
		expect((await get(cut, `/v1/responses/${id}`)).status).toBe(404);
	});

	it("belongs to its caller alone", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: "echo" },
			settings: { acceptCursorCredentials: true },
		});
		const { body: mine } = await ask(gateway, { input: "secret" });
		const theirs = { authorization: "Bearer key_of_somebody_else" };
		for (const [path, method] of [
			[`/v1/responses/${mine.id}`, "GET"],
			[`/v1/responses/${mine.id}`, "DELETE"],
			[`/v1/responses/${mine.id}/input_items`, "GET"],
		] as const) {
			expect((await gateway.fetch(path, { method, headers: theirs })).status).toBe(404);
		}
		const body = { model: MODEL, input: "x", previous_response_id: mine.id };
		expect((await gateway.post("/v1/responses", body, { headers: theirs })).status).toBe(400);
		const item = { model: MODEL, input: [{ type: "item_reference", id: mine.output[0].id }] };
		expect((await gateway.post("/v1/responses", item, { headers: theirs })).status).toBe(404);
		expect((await get(gateway, `/v1/responses/${mine.id}`)).status).toBe(200);
	});

	it("gives its items by reference", async () => {
		const gateway = await startTestGateway({ emulator: { brain: remembering } });
		const { body: first } = await ask(gateway, { input: "one" });
		const reference = { type: "item_reference", id: first.output[0].id };
		const { body } = await ask(gateway, {
			input: [{ role: "user", content: "zero" }, reference, { role: "user", content: "two" }],
		});
		expect(body.output[0].content[0].text).toBe("zero|one|two");
		const unknown = await ask(gateway, { input: [{ type: "item_reference", id: "msg_unknown_0" }] });
		expect(unknown).toMatchObject({ status: 404, body: { error: { param: "input[0].id" } } });
	});
});

describe("tools", () => {
	const calling: Brain = async function* (turn) {
		const [result] = yield { calls: [{ name: turn.tools[0]!.name, arguments: { input: "*** Begin Patch" } }] };
		yield { text: `${turn.tools.map(({ name }) => name).join()}: ${result.text}` };
	};

	it("of a kept response are answered by its id alone, in the same run", async () => {
		const gateway = await startTestGateway({ emulator: { brain: calling } });
		const tools = [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }];
		const { body: first } = await ask(gateway, { input: "go", tools });
		const [call] = first.output;
		const output = [{ type: "function_call_output", call_id: call.call_id, output: "seen" }];
		const second = await ask(gateway, { input: output, previous_response_id: first.id, tools });
		expect(second.body.output[0].content[0].text).toBe("look: seen");
		expect(second.headers.get("x-cursorwire-path")).toBe("parked");
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 1 });
	});

	it.each([
		[
			"as tools",
			{
				tools: [{ type: "custom", name: "apply_patch", format: { type: "grammar", syntax: "lark", definition: "x" } }],
			},
		],
		[
			"as an item",
			{ items: [{ type: "additional_tools", role: "developer", tools: [{ type: "custom", name: "apply_patch" }] }] },
		],
	])(
		"that take free text, offered %s, are called and answered",
		async (_name, { tools, items = [] }: { tools?: object[]; items?: object[] }) => {
			const gateway = await startTestGateway({ emulator: { brain: calling } });
			const user = { role: "user", content: "patch" };
			const first = await ask(gateway, { input: [...items, user], tools, store: false });
			const [call] = first.body.output;
			expect(call).toMatchObject({ type: "custom_tool_call", name: "apply_patch", input: "*** Begin Patch" });
			const output = { type: "custom_tool_call_output", call_id: call.call_id, output: "Done!" };
			const second = await ask(gateway, { input: [...items, user, call, output], tools, store: false });
			expect(second.body.output[0].content[0].text).toContain("Done!");
			expect(gateway.emulator.stats().runs.started).toBe(1);
		},
	);
});

describe("a conversation that is too long", () => {
	const tooLong: Brain = async function* () {
		yield { error: { code: "invalid_argument", details: { error: "ERROR_CONVERSATION_TOO_LONG" } } };
	};

	it("fails inside the stream, where Codex looks for it", async () => {
		const gateway = await startTestGateway({ emulator: { brain: tooLong } });
		const response = await gateway.post("/v1/responses", { model: MODEL, input: "x", stream: true });
		expect(response.status).toBe(200);
		expect(response.headers.get("content-type")).toMatch(/^text\/event-stream/);
		const events = readSse(await response.text()).map(({ data }) => JSON.parse(data));
		expect(events.map(({ type }) => type)).toEqual([
			...["response.created", "response.in_progress", "error", "response.failed"],
		]);
		const code = "context_length_exceeded";
		expect(events.at(-1).response).toMatchObject({ status: "failed", error: { code }, output: [] });
	});

	it("is a plain 400 where nothing is streamed, and where the request has another fault", async () => {
		const gateway = await startTestGateway({ emulator: { brain: tooLong } });
		const whole = await ask(gateway, { input: "x" });
		expect(whole).toMatchObject({ status: 400, body: { error: { code: "context_length_exceeded" } } });
		const unknown = await ask(gateway, { input: "x", model: "no-such-model", stream: true });
		expect(unknown).toMatchObject({ status: 404, body: { error: { code: "model_not_found" } } });
	});
});

describe("the address", () => {
	it("speaks no WebSocket, and says so in a way that makes clients fall back", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const { status, body } = await get(gateway, "/v1/responses");
		expect({ status, code: body.error.code }).toEqual({ status: 426, code: "websocket_not_supported" });
	});

	it("works with and without /v1, and with either header for the key", async () => {
		const gateway = await startTestGateway({ emulator: { brain: "echo" } });
		const headers = { authorization: "", "x-api-key": gateway.key };
		for (const path of ["/v1/responses", "/responses"]) {
			expect((await ask(gateway, { input: "x" }, path)).status).toBe(200);
			const response = await gateway.post(path, { model: MODEL, input: "x" }, { headers });
			expect(response.status).toBe(200);
			expect(response.headers.get("x-request-id")).toMatch(/^req_/);
		}
	});
});
