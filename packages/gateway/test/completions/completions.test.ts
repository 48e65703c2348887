// OpenAI's oldest API, with its own SDK.
import OpenAI, { BadRequestError, NotFoundError } from "openai";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";

async function connect() {
	const gateway = await startTestGateway({
		emulator: {
			async *brain(turn) {
				yield { thinking: "hm" };
				for (const word of `You said: ${turn.prompt}`.split(" ")) yield { text: `${word} ` };
				yield { usage: { inputTokens: 7, outputTokens: 5 } };
			},
		},
	});
	return { gateway, client: new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 }) };
}

type Params = OpenAI.CompletionCreateParamsNonStreaming;
const PARAMS = { model: "gpt-3.5-turbo-instruct", prompt: "Say hello" } satisfies Params;

describe("a completion", () => {
	it("is a turn whose text comes back, whole", async () => {
		const { client, gateway } = await connect();
		const { data, response } = await client.completions.create(PARAMS).withResponse();
		expect(data).toEqual({
			id: expect.stringMatching(/^cmpl-/),
			object: "text_completion",
			created: expect.any(Number),
			model: "auto",
			choices: [{ index: 0, text: "You said: Say hello ", logprobs: null, finish_reason: "stop" }],
			usage: expect.objectContaining({ prompt_tokens: 7, completion_tokens: 6, total_tokens: 13 }),
			system_fingerprint: expect.any(String),
		});
		expect(response.headers.get("x-request-id")).toMatch(/^req_/);
		const withoutVersion = await gateway.post("/completions", { ...PARAMS, prompt: ["Say hello"] });
		expect(await withoutVersion.json()).toMatchObject({ choices: [{ text: "You said: Say hello " }] });
	});

	it("is the same streamed, with its usage where that is wanted", async () => {
		const { client } = await connect();
		const stream = await client.completions.create({
			...PARAMS,
			stream: true,
			stream_options: { include_usage: true },
		});
		const chunks: OpenAI.Completion[] = [];
		for await (const chunk of stream) chunks.push(chunk);
		expect(new Set(chunks.map(({ object, id }) => `${object} ${id.slice(0, 5)}`))).toEqual(
			new Set(["text_completion cmpl-"]),
		);
		expect(chunks.map(({ choices }) => choices[0]?.text ?? "").join("")).toBe("You said: Say hello ");
		expect(chunks.map(({ choices }) => choices[0]?.finish_reason).filter(Boolean)).toEqual(["stop"]);
		expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 6 } });
	});

	it("keeps to stop, max_tokens and n", async () => {
		const { client } = await connect();
		const stopped = await client.completions.create({ ...PARAMS, stop: "Say" });
		expect(stopped.choices[0]).toMatchObject({ text: "You said: ", finish_reason: "stop" });
		const long = await client.completions.create({ ...PARAMS, prompt: "word ".repeat(200), max_tokens: 20 });
		expect(long.choices[0]!.finish_reason).toBe("length");
		expect(long.choices[0]!.text.length).toBeLessThan(200);
		const two = await client.completions.create({ ...PARAMS, n: 2 });
		expect(two.choices.map(({ index, text }) => [index, text])).toEqual([
			[0, "You said: Say hello "],
			[1, "You said: Say hello "],
		]);
		const stream = await client.completions.create({ ...PARAMS, n: 2, stream: true });
		const texts = ["", ""];
		for await (const { choices } of stream) for (const { index, text } of choices) texts[index] += text;
		expect(texts).toEqual(["You said: Say hello ", "You said: Say hello "]);
	});

	it.each<[string, object, string | null, RegExp]>([
		["no prompt", { prompt: undefined }, "prompt", /prompt is required/],
		["an empty prompt", { prompt: "" }, "prompt", /must not be empty/],
		["several prompts", { prompt: ["a", "b"] }, "prompt", /one text.*a request for each/],
		["tokens", { prompt: [1, 2, 3] }, "prompt", /a text/],
		["lists of tokens", { prompt: [[1, 2, 3]] }, "prompt", /a text/],
		["a suffix", { suffix: "the end" }, "suffix", /must be left out.*insert/],
		["an echo", { echo: true }, "echo", /must be left out/],
		["a wrong limit", { max_tokens: "many" }, "max_tokens", /a number/],
		["too many answers", { n: 1000 }, "n", /at most/],
	])("refuses %s with a sentence", async (_what, change, param, sentence) => {
		const { client } = await connect();
		const error = await client.completions.create({ ...PARAMS, ...change } as Params).catch((error) => error);
		expect(error).toBeInstanceOf(BadRequestError);
		expect(error.param).toBe(param);
		expect(error.message).toMatch(sentence);
	});

	it("warns of what has no effect", async () => {
		const { client } = await connect();
		const given = { ...PARAMS, logprobs: 3, best_of: 4, temperature: 0.2, suffix: "", echo: false };
		const { response } = await client.completions.create(given).withResponse();
		const warnings = response.headers.get("x-cursorwire-warnings");
		for (const field of ["logprobs", "best_of", "temperature"]) expect(warnings).toContain(`${field} has no effect`);
	});

	it("is an error in OpenAI's form where the model is not known, streamed and not", async () => {
		const { client } = await connect();
		for (const stream of [false, true]) {
			const error = await client.completions.create({ ...PARAMS, model: "gtp-5.4", stream }).catch((error) => error);
			expect(error).toBeInstanceOf(NotFoundError);
			expect(error.message).toContain("Did you mean gpt-5.4");
		}
	});
});

describe("embeddings", () => {
	it("are refused with a sentence that says what Cursor has not", async () => {
		const { client, gateway } = await connect();
		const error = await client.embeddings
			.create({ model: "text-embedding-3-small", input: "x" })
			.catch((error) => error);
		expect(error).toBeInstanceOf(NotFoundError);
		expect(error.message).toMatch(/Cursor has no embeddings.*another provider/);
		expect(error.type).toBe("invalid_request_error");
		expect((await gateway.post("/embeddings", {})).status).toBe(404);
		expect(gateway.emulator.stats().runs.started).toBe(0);
	});
});
