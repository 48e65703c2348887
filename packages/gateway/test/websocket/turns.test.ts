// Responses over a WebSocket: what a message costs, and what a connection remembers.
import type { Brain, CallResult } from "cursorwire-emulator";
import OpenAI from "openai";
import { ResponsesWS } from "openai/resources/responses/ws";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { openRawWebSocket, type RawWebSocket } from "../kit/raw-web-socket.ts";

const TOOLS = [{ type: "function", name: "look", parameters: { type: "object" } }];
const MODEL = { model: "composer-1", store: false, tools: TOOLS };
const user = (text: string) => ({ type: "message", role: "user", content: text });
const create = (fields: object) => ({ type: "response.create", ...MODEL, ...fields });

const open = (gateway: TestGateway, headers: Record<string, string> = {}): Promise<RawWebSocket> =>
	openRawWebSocket(gateway.url, "/v1/responses", { authorization: `Bearer ${gateway.key}`, ...headers });

const echo: Brain = async function* ({ messages }) {
	yield { text: `${messages.length} messages` };
};

describe("turns on a WebSocket", () => {
	it("take a task of 50 tools as one run, and no history after the first message", async () => {
		const steps = 50;
		const brain: Brain = async function* () {
			for (let step = 0; step < steps; step++) {
				const [result]: CallResult[] = yield { calls: [{ name: "look", arguments: { step } }] };
				if (result!.text !== `result ${step}`) throw new Error(`step ${step} got ${result!.text}`);
			}
			yield { text: "done" };
		};
		const paths: unknown[] = [];
		const gateway = await startTestGateway({
			emulator: { brain },
			onLog: ({ msg, path }) => msg === "turn" && paths.push(path),
		});
		const socket = await open(gateway);
		expect(socket.head).toMatch(/^HTTP\/1\.1 101 /);
		const sizes: number[] = [];
		const ask = async (fields: object) => {
			const text = JSON.stringify(create(fields));
			sizes.push(text.length);
			socket.send(1, text);
			return (await socket.until("response.completed", "error")).at(-1);
		};
		let last = await ask({ input: [user("a long question ".repeat(2_000))] });
		for (let step = 0; step < steps; step++) {
			const { call_id } = last.response.output.at(-1);
			const input = [{ type: "function_call_output", call_id, output: `result ${step}` }];
			last = await ask({ previous_response_id: last.response.id, input });
		}
		expect(last.response.output).toMatchObject([{ type: "message", content: [{ text: "done" }] }]);
		console.log(`first message ${sizes[0]} bytes, the others at most ${Math.max(...sizes.slice(1))}`);
		expect(Math.max(...sizes.slice(1))).toBeLessThan(500);
		expect(gateway.emulator.stats().runs.started).toBe(1);
		expect(paths).toEqual(["new", ...Array(steps).fill("parked")]);
	});

	it("begin with a message that wants no reply, and go on from its id", async () => {
		const gateway = await startTestGateway({ emulator: { brain: echo } });
		const socket = await open(gateway);
		socket.json(create({ generate: false, input: [user("one")] }));
		const ready = await socket.until("response.completed");
		expect(ready.map(({ type }) => type)).toEqual(["response.created", "response.in_progress", "response.completed"]);
		expect(ready.at(-1).response).toMatchObject({ output: [], id: expect.stringMatching(/^resp_/) });
		expect(gateway.emulator.stats().runs.started).toBe(0);
		socket.json(create({ previous_response_id: ready.at(-1).response.id, input: [user("two")] }));
		const [prompt] = (await socket.until("response.completed")) && gateway.emulator.prompts();
		expect(JSON.stringify(prompt)).toMatch(/one.*two/);
	});

	it("say by a code of their own that an earlier response is not known, and that a message is wrong", async () => {
		const gateway = await startTestGateway({ emulator: { brain: echo } });
		const socket = await open(gateway);
		socket.json(create({ previous_response_id: "resp_unknown", input: [user("hi")] }));
		expect(await socket.message()).toMatchObject({
			...{ type: "error", status: 400, error: { code: "previous_response_not_found" } },
		});
		for (const wrong of [
			create({ input: 5 }),
			{ type: "response.cancel" },
			create({ model: "no-such", input: "hi" }),
		]) {
			socket.json(wrong);
			expect(await socket.message()).toMatchObject({ type: "error", error: { message: expect.any(String) } });
		}
		socket.send(1, "{");
		expect(await socket.message()).toMatchObject({ type: "error", status: 400 });
		// The connection is as good as before.
		socket.json(create({ input: [user("hi")] }));
		await socket.until("response.completed");
	});

	it("come one at a time, and are known only to their own connection", async () => {
		const brain: Brain = async function* () {
			yield { text: "slowly " };
			yield { delay: 300 };
			yield { text: "said" };
		};
		const gateway = await startTestGateway({ emulator: { brain } });
		const [socket, other] = [await open(gateway), await open(gateway)];
		socket.json(create({ input: [user("hi")] }));
		await socket.until("response.output_text.delta");
		socket.json(create({ input: [user("hi")] }));
		const said = await socket.until("response.completed");
		expect(said.filter(({ type }) => type === "error")).toMatchObject([
			{ error: { message: expect.stringContaining("one at a time") } },
		]);
		other.json(create({ previous_response_id: said.at(-1).response.id, input: [user("hi")] }));
		expect(await other.message()).toMatchObject({ error: { code: "previous_response_not_found" } });
	});

	it("end in response.failed where the conversation is too long, and in an error where Cursor refuses", async () => {
		const brain: Brain = async function* ({ messages }) {
			const error = JSON.stringify(messages).includes("long")
				? "ERROR_CONVERSATION_TOO_LONG"
				: "ERROR_PRO_USER_USAGE_LIMIT";
			yield { error: { code: "invalid_argument", details: { error } } };
		};
		const gateway = await startTestGateway({ emulator: { brain } });
		const socket = await open(gateway);
		socket.json(create({ input: [user("long")] }));
		expect((await socket.until("response.failed")).at(-1)).toMatchObject({
			response: { status: "failed", error: { code: "context_length_exceeded" } },
		});
		socket.json(create({ input: [user("hi")] }));
		expect(await socket.message()).toMatchObject({ type: "error", status: 402 });
	});

	it("are cancelled when the connection closes", async () => {
		const brain: Brain = async function* () {
			yield { text: "begun" };
			yield { delay: 600_000 };
		};
		const gateway = await startTestGateway({ emulator: { brain } });
		const socket = await open(gateway);
		socket.json(create({ input: [user("hi")] }));
		await socket.until("response.output_text.delta");
		socket.send(8, Buffer.from([3, 232]));
		expect(await socket.closeCode()).toBe(1000);
		await socket.ended;
		await until(() => gateway.emulator.stats().streams.open === 0);
	});

	it("are had with the WebSocket of OpenAI's library", async () => {
		const gateway = await startTestGateway({ emulator: { brain: echo } });
		const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key });
		const socket = new ResponsesWS(client);
		const ask = async (fields: object) => {
			const done = new Promise<OpenAI.Responses.Response>((resolve, reject) => {
				socket.once("response.completed", ({ response }) => resolve(response));
				socket.once("error", reject);
			});
			socket.send({ type: "response.create", model: "composer-1", store: false, ...fields });
			return done;
		};
		const first = await ask({ input: "hi" });
		const second = await ask({ previous_response_id: first.id, input: "again" });
		socket.close();
		expect([first, second].map(({ output }) => output[0])).toMatchObject([
			{ content: [{ text: "1 messages" }] },
			{ content: [{ text: "3 messages" }] },
		]);
	});
});
