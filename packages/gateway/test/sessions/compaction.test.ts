// A long conversation is replaced by a summary that only this installation, or its group, can read.
import { statSync } from "node:fs";
import { join } from "node:path";
import type { Brain } from "cursorwire-emulator";
import OpenAI from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { startRedis } from "../store/redis-server.ts";

/** Sums up by repeating the word, and tells the word where the prompt holds it. */
const brain: Brain = async function* ({ messages }) {
	const said = JSON.stringify(messages);
	const [word = "no word"] = /word-\w+/.exec(said) ?? [];
	yield { text: said.includes("Write that summary now") ? `The user's word is ${word}.` : `It was ${word}.` };
};

const history = (word: string) => [
	{ role: "user", content: `Remember ${word}` },
	{ role: "assistant", content: "I will." },
];
const TRIGGER = { type: "compaction_trigger" };

interface Compaction {
	type: string;
	encrypted_content: string;
}

async function compact(gateway: TestGateway, word = "word-blue"): Promise<Compaction> {
	const answer = await gateway.post("/v1/responses", { model: "composer-1", input: [...history(word), TRIGGER] });
	const { output } = JSON.parse(await answer.text());
	expect(output).toMatchObject([{ type: "compaction" }]);
	return output[0];
}

async function ask(gateway: TestGateway, ...items: object[]) {
	const input = [...items, { role: "user", content: "Which word was it?" }];
	const answer = await gateway.post("/v1/responses", { model: "composer-1", input, store: false });
	return { status: answer.status, body: JSON.parse(await answer.text()) };
}

const textOf = (body: { output: { content: { text: string }[] }[] }) => body.output[0]!.content[0]!.text;

describe("a compaction", () => {
	it("keeps what matters, in a file of its own key, and survives a restart", async () => {
		const first = await startTestGateway({ emulator: { brain } });
		const compaction = await compact(first);
		expect(compaction.encrypted_content).not.toContain("blue");
		expect(statSync(join(first.dataDir, "sealing-key")).mode & 0o777).toBe(0o600);
		const second = await startTestGateway({ emulator: { brain }, settings: { dataDir: first.dataDir } });
		const { status, body } = await ask(second, compaction);
		expect([status, textOf(body)]).toEqual([200, "It was word-blue."]);
	});

	it("is refused with 400 after a change of one bit, and by another installation", async () => {
		const gateway = await startTestGateway({ emulator: { brain } });
		const { type, encrypted_content: sealed } = await compact(gateway);
		const at = sealed.length >> 1;
		const changed = sealed.slice(0, at) + (sealed[at] === "A" ? "B" : "A") + sealed.slice(at + 1);
		const other = await startTestGateway({ emulator: { brain } });
		for (const [place, encrypted_content] of [
			[gateway, changed],
			[other, sealed],
		] as const) {
			const { status, body } = await ask(place, { type, encrypted_content });
			expect(status).toBe(400);
			expect(body).toEqual({
				error: {
					type: "invalid_request_error",
					code: "invalid_request",
					param: "input[0].encrypted_content",
					message: expect.stringContaining("it was changed, or another installation sealed it"),
				},
			});
		}
	});

	it("can be read by every gateway that shares a Redis", async () => {
		const server = await startRedis();
		onTestFinished(() => server.stop());
		const { url: redis } = server;
		const one = await startTestGateway({ emulator: { brain }, settings: { redis } });
		const other = await startTestGateway({ emulator: { brain }, settings: { redis } });
		const { body } = await ask(other, await compact(one));
		expect(textOf(body)).toBe("It was word-blue.");
	});

	it("is what OpenAI's library asks for with `responses.compact`, and sends on", async () => {
		const gateway = await startTestGateway({ emulator: { brain } });
		const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
		const input = history("word-green") as OpenAI.Responses.ResponseInput;
		const compacted = await client.responses.compact({ model: "composer-1", input });
		expect(compacted).toMatchObject({ object: "response.compaction", usage: { output_tokens: expect.any(Number) } });
		expect(compacted.output.map(({ type }) => type)).toEqual(["message", "compaction"]);
		const next = [...compacted.output, { role: "user", content: "Which word was it?" }];
		const reply = await client.responses.create({ model: "composer-1", input: next as never });
		expect(reply.output_text).toBe("It was word-green.");
	});

	it("takes the place of the conversation for who goes on by the id of the response", async () => {
		const gateway = await startTestGateway({ emulator: { brain } });
		const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key, maxRetries: 0 });
		const input = [...history("word-red"), TRIGGER] as never;
		const stream = await client.responses.create({ model: "composer-1", input, stream: true });
		let id = "";
		let items = 0;
		for await (const event of stream) {
			if (event.type === "response.output_item.done") items += 1;
			if (event.type === "response.completed") id = event.response.id;
		}
		expect(items).toBe(1);
		const followed = { model: "composer-1", previous_response_id: id, input: "Which word was it?" };
		expect((await client.responses.create(followed)).output_text).toBe("It was word-red.");
	});

	it("is an error where the model sums up nothing", async () => {
		const silent: Brain = async function* () {
			yield { text: " " };
		};
		const gateway = await startTestGateway({ emulator: { brain: silent } });
		const answer = await gateway.post("/v1/responses", { model: "composer-1", input: [...history("x"), TRIGGER] });
		expect(answer.status).toBe(502);
	});
});
