// Libraries that people use, unchanged, against the gateway.
import type { Brain, EmulatorOptions } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { steps } from "../sessions/kit.ts";
import { aiSdk } from "./ai-sdk.ts";
import type { Client, Setup, TestTool } from "./client.ts";
import { langchain } from "./langchain.ts";
import { connect, openai } from "./openai.ts";

const PNG = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);
const CLIENTS: [string, Client][] = [
	["openai", openai],
	["AI SDK", aiSdk],
	["LangChain.js", langchain],
];
const BOTH = [
	["whole", false],
	["streamed", true],
] as const;

async function start(options: EmulatorOptions) {
	const gateway = await startTestGateway({ emulator: options });
	const paths: (string | null)[] = [];
	const setup: Setup = {
		baseURL: `${gateway.url}/v1`,
		apiKey: gateway.key,
		model: "composer-1",
		fetch: async (input, init) => {
			const response = await fetch(input, init);
			paths.push(response.headers.get("x-cursorwire-path"));
			return response;
		},
	};
	return { gateway, emulator: gateway.emulator, setup, paths };
}

/** A tool that writes down what it was asked for, and answers with that. */
function stepTool(): { asked: number[]; tool: TestTool } {
	const asked: number[] = [];
	return {
		asked,
		tool: {
			name: "step",
			description: "Takes a step.",
			parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
			async run({ n }) {
				asked.push(n);
				return `r${n}`;
			},
		},
	};
}

describe.each(CLIENTS)("%s", (_, client) => {
	describe.each(BOTH)("%s", (__, stream) => {
		it("runs tools for five steps, in one run of Cursor", async () => {
			const { emulator, setup, paths } = await start({ brain: steps(5) });
			const { asked, tool } = stepTool();
			const { text, usage } = await client.loop(setup, "go", tool, stream);
			expect(text).toBe("r1 r2 r3 r4 r5");
			expect(asked).toEqual([1, 2, 3, 4, 5]);
			expect(paths).toEqual(["new", ...Array(5).fill("parked")]);
			expect(emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 5, ended: 1, failed: 0 });
			expect(usage.input).toBeGreaterThan(0);
			expect(usage.output).toBeGreaterThan(0);
		});

		it("runs several tools of one step", async () => {
			const { emulator, setup, paths } = await start({
				async *brain() {
					yield { text: "Let me see. " };
					const answers = yield { calls: [1, 2, 3].map((n) => ({ name: "step", arguments: { n } })) };
					yield { text: answers.map(({ text }: { text: string }) => text).join(" ") };
				},
			});
			const { asked, tool } = stepTool();
			expect((await client.loop(setup, "go", tool, stream)).text).toBe("r1 r2 r3");
			expect(asked).toEqual([1, 2, 3]);
			expect(paths).toEqual(["new", "parked"]);
			expect(emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 3 });
		});

		it("gets text, thinking and token counts", async () => {
			const { setup } = await start({
				async *brain() {
					yield { thinking: "hm, " };
					yield { thinking: "well" };
					yield { text: "Grüße, " };
					yield { text: "世界 👋" };
					yield { usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 30, reasoningTokens: 5 } };
				},
			});
			const pieces: string[] = [];
			const answer = await client.chat(setup, "hello", { stream, onText: (piece) => pieces.push(piece) });
			expect(answer).toEqual({
				text: "Grüße, 世界 👋",
				reasoning: client.showsReasoning ? "hm, well" : undefined,
				usage: { input: 100, output: 20, cached: 30, reasoning: 5 },
			});
			expect(pieces.join("")).toBe(stream ? "Grüße, 世界 👋" : "");
		});

		it("sends images", async () => {
			const { setup } = await start({
				async *brain({ prompt, images }) {
					yield { text: `${prompt}: ${images.map(({ mediaType, data }) => `${mediaType} ${data.length}`).join()}` };
				},
			});
			const image = { mediaType: "image/png", data: PNG };
			const { text } = await client.chat(setup, "look", { stream, image });
			expect(text).toBe(`look: image/png ${PNG.length}`);
		});

		it("tells of a wrong key, an unknown model, a limit and a failure with its own errors", async () => {
			const failing: Brain = async function* ({ prompt }) {
				if (prompt === "limit")
					yield { error: { code: "resource_exhausted", details: { error: "ERROR_RATE_LIMITED" } } };
				yield { error: { code: "internal", message: "broken" } };
			};
			const { setup } = await start({ brain: failing });
			const failure = async (changes: Partial<Setup>, prompt = "hello") => {
				const thrown = await client.chat({ ...setup, ...changes }, prompt, { stream }).then(
					() => expect.unreachable(),
					(error) => client.errorOf(error),
				);
				return thrown;
			};
			const { errors } = client;
			expect(await failure({ apiKey: "cw_wrong" })).toMatchObject({ name: errors.badKey, status: 401 });
			expect(await failure({ model: "no-such-model" })).toMatchObject({ name: errors.noModel, status: 404 });
			expect(await failure({}, "limit")).toMatchObject({ name: errors.rateLimit, status: 429 });
			const broken = await failure({});
			expect(broken).toMatchObject({ name: errors.upstream, status: 502 });
			// What happened and what to do, in words.
			expect(broken.message).toMatch(/Cursor or the model's provider failed.*Try again/s);
		});

		it("learns of an answer that was cut", async () => {
			const { setup } = await start({
				async *brain() {
					yield { text: "half an " };
					yield { delay: 30 };
					yield { drop: true };
				},
			});
			const pieces: string[] = [];
			const cut = client.chat(setup, "hello", { stream, onText: (piece) => pieces.push(piece) });
			const error = await cut.then(
				({ text }) => expect.unreachable(`took ${text} for an answer`),
				(thrown) => client.errorOf(thrown),
			);
			expect(error.message).toMatch(/cut in the middle of the answer/);
			expect(error).toMatchObject(
				stream ? { name: client.errors.midStream } : { name: client.errors.upstream, status: 502 },
			);
			if (stream) expect(pieces.join("")).toBe("half an ");
		});

		it("runs no tool whose arguments were cut", async () => {
			const mcp = { args: { name: "step", toolName: "step", toolCallId: "c1" } };
			const { setup } = await start({
				async *brain() {
					const args = {
						callId: "c1",
						toolCall: { mcpToolCall: mcp },
						argsTextDelta: Buffer.from('{"n":1').toString("base64"),
					};
					yield { update: { kind: "partial_tool_call", args } };
					yield { delay: 30 };
					yield { drop: true };
				},
			});
			const { asked, tool } = stepTool();
			const error = await client.loop(setup, "go", tool, stream).then(
				({ text }) => expect.unreachable(`took "${text}" for an answer`),
				(thrown) => client.errorOf(thrown),
			);
			expect(error.message).toMatch(/cut in the middle of the answer/);
			expect(asked).toEqual([]);
		});

		it("cancels what it no longer wants", async () => {
			const { emulator, setup } = await start({
				async *brain() {
					yield { text: "Once upon a time " };
					yield { hang: "heartbeats" };
				},
			});
			const leave = new AbortController();
			const left = client.chat(setup, "tell", { stream, signal: leave.signal, onText: () => leave.abort() });
			if (!stream) {
				await until(() => emulator.stats().streams.open === 1);
				leave.abort();
			}
			const error = await left.then(
				() => expect.unreachable(),
				(thrown) => client.errorOf(thrown),
			);
			expect(error.name).toMatch(client.errors.aborted);
			await until(() => emulator.stats().runs.cancelled.length === 1);
			await until(() => emulator.stats().streams.open === 0);
		});
	});
});

describe("openai", () => {
	it("lists models", async () => {
		const { setup } = await start({ brain: "echo" });
		const { models } = connect(setup);
		const ids: string[] = [];
		for await (const model of models.list()) {
			expect(model).toMatchObject({ object: "model", owned_by: "cursor" });
			ids.push(model.id);
		}
		expect(ids).toContain("composer-1");
		expect(await models.retrieve("composer-1")).toMatchObject({ id: "composer-1", object: "model" });
		await expect(models.retrieve("no-such-model")).rejects.toMatchObject({ status: 404, code: "model_not_found" });
	});

	it("tries again by itself what may work the next time", async () => {
		const { emulator, setup } = await start({ brain: "echo", faults: ["error=internal@frame:1*3"] });
		const patient = connect(setup).withOptions({ maxRetries: 2 });
		const { choices } = await patient.chat.completions.create({
			model: setup.model,
			messages: [{ role: "user", content: "hello" }],
		});
		expect(choices[0]!.message.content).toBe("hello");
		expect(emulator.stats().runs.ended).toBe(1);
	});
});
