// C2 and C3: several requests on one connection, one after the other or all at once, with errors among them.
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { readAnswer, readChunks } from "../kit/dialects/chat-chunks.ts";
import { LOOK } from "../kit/hostile/brain.ts";
import type { RawResponse } from "../kit/hostile/raw-client.ts";
import { CHAT, expectRefusal, say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig();

/** What an answer says, streamed or not. */
function textOf({ headers, body }: RawResponse): string {
	if (!headers["content-type"]!.startsWith("text/event-stream")) return JSON.parse(body).choices[0].message.content;
	return readAnswer(readChunks(body).chunks).content;
}

const post = (body: string, ...lines: string[]) =>
	rig.head("POST", CHAT, ...lines, `Content-Length: ${body.length}`) + body;
const JSON_TYPE = "Content-Type: application/json";

describe("C2, C3: a connection", () => {
	const errors: [string, () => string | Buffer, number][] = [
		["a wrong path", () => rig.head("GET", "/nowhere"), 404],
		["a broken path", () => rig.head("GET", "/%zz"), 400],
		["a wrong method", () => rig.head("DELETE", "/v1/models"), 405],
		["a wrong key", () => rig.head("GET", "/v1/models").replace("Bearer ", "Bearer x"), 401],
		["a wrong key before a body", () => post("{}", JSON_TYPE).replace("Bearer ", "Bearer x"), 401],
		["a wrong host", () => rig.head("GET", "/v1/models").replace("127.0.0.1", "evil.test"), 403],
		["a wrong type", () => post("x=y", "Content-Type: text/plain"), 415],
		["no JSON", () => post("{", JSON_TYPE), 400],
		["a wrong field", () => rig.chat({ ...say("x"), n: 0 }), 400],
		["an error of the model", () => rig.chat(say("fail now")), 429],
		["an error of the model in a stream", () => rig.chat(say("fail now", { stream: true })), 429],
	];

	it.each(errors)("is as good as before after %s", async (_name, request, status) => {
		const client = await rig.open();
		for (let round = 0; round < 2; round++) {
			client.send(request());
			const answer = await client.response();
			// Which of the upstream's errors it is matters elsewhere.
			if (status === 429) expect(answer.status).toBeGreaterThanOrEqual(400);
			else expectRefusal(answer, status);
			client.send(rig.chat(say(`round ${round}`)));
			expect(textOf(await client.response())).toBe(`you said round ${round}`);
		}
		expect(client.unread).toBe("");
		client.close();
	});

	it("carries all of these at once, each answer in its place", async () => {
		const client = await rig.open();
		const requests = errors.flatMap(([, request], at) => [Buffer.from(request()), rig.chat(say(`after ${at}`))]);
		client.send(Buffer.concat(requests));
		for (const [at, [, , status]] of errors.entries()) {
			const refusal = await client.response();
			if (status !== 429) expectRefusal(refusal, status);
			expect(textOf(await client.response())).toBe(`you said after ${at}`);
		}
		client.close();
	});

	it("gives answers in the order of their requests, whichever is ready first", async () => {
		const client = await rig.open();
		const prompts = ["slowly one two three", "quick", "slowly four five", "quick again", "look", "last"];
		const bodies = prompts.map((prompt, at) => say(prompt, { stream: at % 2 === 0, tools: [LOOK] }));
		client.send(Buffer.concat(bodies.map((body) => rig.chat(body))));
		const answers: RawResponse[] = [];
		for (const _ of prompts) answers.push(await client.response());
		expect(answers.map(({ status }) => status)).toEqual(prompts.map(() => 200));
		expect(textOf(answers[0]!).trim()).toBe(prompts[0]);
		expect(textOf(answers[1]!)).toBe("you said quick");
		expect(textOf(answers[2]!).trim()).toBe(prompts[2]);
		expect(textOf(answers[3]!)).toBe("you said quick again");
		expect(answers[4]!.body).toContain("tool_calls");
		expect(textOf(answers[5]!)).toBe("you said last");
		client.close();
	});

	it("that closes leaves none of its requests running", async () => {
		const { runs, streams } = rig.emulator.stats();
		const before = { started: runs.started, cancelled: runs.cancelled.length, open: streams.open };
		const turns = rig.turns.length;
		const client = await rig.open();
		const bodies = [true, false, true, false].map((stream) => rig.chat(say("speak-and-hang", { stream })));
		client.send(Buffer.concat(bodies));
		await until(() => rig.emulator.stats().runs.started === before.started + bodies.length);
		client.close();
		await until(() => rig.emulator.stats().runs.cancelled.length === before.cancelled + bodies.length);
		await until(() => rig.turns.length >= turns + bodies.length);
		expect(rig.turns.slice(turns)).toMatchObject(bodies.map(() => ({ status: 499 })));
		expect(rig.emulator.stats().streams.open).toBe(before.open);
	});

	it("does not get the refusal of nonsense as an answer to what was asked before", async () => {
		for (const body of [say("speak-and-hang", { stream: true }), say("hang"), say("hang", { stream: true })]) {
			const { started } = rig.emulator.stats().runs;
			const client = await rig.open();
			client.send(rig.chat(body));
			await until(() => rig.emulator.stats().runs.started === started + 1);
			if (body.messages[0]!.content !== "hang") await client.sees(/first words/);
			client.send("nonsense\r\n\r\n");
			await client.end();
			expect(client.unread).not.toContain("HTTP/1.1 400");
			await until(() => rig.emulator.stats().streams.open === rig.gateway.parkedRuns());
		}
	});

	it("may bring its requests in pieces of any size", async () => {
		const client = await rig.open();
		const bytes = Buffer.concat([rig.chat(say("one")), rig.chat(say("two", { stream: true }))]);
		for (let at = 0; at < bytes.length; at += 7) {
			client.send(bytes.subarray(at, at + 7));
			if (at % 70 === 0) await new Promise((resolve) => setImmediate(resolve));
		}
		expect(textOf(await client.response())).toBe("you said one");
		expect(textOf(await client.response())).toBe("you said two");
		client.close();
	});
});

describe("C3: many connections", () => {
	it("get each their own answer", async () => {
		const answers = await Promise.all(
			Array.from({ length: 60 }, async (_, at) => {
				const client = await rig.open();
				client.send(rig.chat(say(`I am ${at}`, { stream: at % 2 === 0 })));
				const answer = textOf(await client.response());
				client.close();
				return answer;
			}),
		);
		expect(answers).toEqual(answers.map((_, at) => `you said I am ${at}`));
	});
});
