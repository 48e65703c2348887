// What becomes of a reply that one gateway gives for another, when one of the two stands still or is gone.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/store/redis/link.ts";
import { ask, type Message, result, tool, user } from "../kit/dialects/handmade-chat.ts";
import { startGroup, type TestGroup } from "./group.ts";

const MODEL = "composer-1";
const SCHEMA = { type: "object" as const, properties: {} };

/** Lets the model say nothing more until it is told to. */
function held({ seen }: TestGroup): () => void {
	let release = () => {};
	seen.hold = new Promise((resolve) => {
		release = () => {
			seen.hold = undefined;
			resolve();
		};
	});
	return release;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await isSo())) await sleep(20);
}

/** Kills the gateway that has the results, before the client has seen anything of the reply. */
async function killOwner(group: TestGroup, of: string, release: () => void): Promise<void> {
	await until(() => group.seen.answered.has(of));
	const { child } = group.gateways[0]!.program;
	const ended = once(child, "exit");
	child.kill("SIGKILL");
	await ended;
	release();
}

/** Notes what a client library is told, each time that it asks. */
function noting(told: unknown[]): typeof fetch {
	return async (...asked) => {
		const response = await fetch(...asked);
		told.push([response.status, response.headers.get("x-should-retry"), response.headers.get("x-cursorwire-path")]);
		return response;
	};
}

/** The error that may be repeated, and the repetition. */
const REPEATED = [
	[502, "true", null],
	[200, null, "rebuild"],
];

it("S9: a gateway that stands still while it passes on a reply gets all of it when it wakes", async () => {
	const group = await startGroup(2, 1);
	const [owner, asker] = group.gateways as [TestGroup["gateways"][0], TestGroup["gateways"][0]];
	const tools = [tool("step")];
	const messages: Message[] = [user("c0")];
	const first = await ask({ ...owner, key: group.key }, messages, { tools });
	messages.push(first.message, result(first.calls[0]!, "c0-r1"));
	const release = held(group);
	const second = ask({ ...asker, key: group.key }, messages, { tools, stream: true });
	await until(() => group.seen.answered.has("c0-r1"));
	// A program that is started for each look would see too little on a busy machine.
	const { client } = await connect({ url: group.redis.url });
	onTestFinished(() => client.disconnect());
	const [run = ""] = await client.keys("cursorwire:group:run:*");
	const ownersLease = `cursorwire:group:lease:${await client.hget(run, "owner")}`;
	asker.program.child.kill("SIGSTOP");
	// The owner, which is the only one with a lease now, finds the other one without.
	await until(async () => (await client.keys("cursorwire:group:lease:*")).join() === ownersLease);
	const left = () => client.pttl(ownersLease);
	for (let renewed = 0; renewed < 2; renewed++) {
		let before = await left();
		await until(async () => {
			const now = await left();
			const isRenewed = now > before;
			before = now;
			return isRenewed;
		});
	}
	release();
	asker.program.child.kill("SIGCONT");
	expect(await second).toMatchObject({ status: 200, path: "parked", text: "c0-r1", error: undefined });
	expect(group.seen.runs).toEqual(["c0"]);
});

it.each([false, true])(
	"S9: the openai library repeats what a killed gateway had taken (stream: %s)",
	async (stream) => {
		const group = await startGroup(2, 1);
		const [owner, asker] = group.gateways as [TestGroup["gateways"][0], TestGroup["gateways"][0]];
		const told: unknown[] = [];
		const at = (url: string, fetch?: typeof globalThis.fetch) =>
			new OpenAI({ baseURL: `${url}/v1`, apiKey: group.key, ...(fetch && { fetch }) }).chat.completions;
		const tools = [{ type: "function" as const, function: { name: "step", parameters: SCHEMA } }];
		const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "c0" }];
		const first = await at(owner.url).create({ model: MODEL, messages, tools });
		const { message } = first.choices[0]!;
		messages.push(message, { role: "tool", tool_call_id: message.tool_calls![0]!.id, content: "c0-r1" });
		const release = held(group);
		const api = at(asker.url, noting(told));
		const request = { model: MODEL, messages, tools };
		const second = stream ? api.stream(request).finalChatCompletion() : api.create(request);
		await killOwner(group, "c0-r1", release);
		expect((await second).choices[0]!.message.content).toBe("c0-r1");
		expect(told).toEqual(REPEATED);
		expect(group.seen.answered).toEqual(new Map([["c0-r1", 1]]));
	},
);

it.each([false, true])(
	"S9: the anthropic library repeats what a killed gateway had taken (stream: %s)",
	async (stream) => {
		const group = await startGroup(2, 1);
		const [owner, asker] = group.gateways as [TestGroup["gateways"][0], TestGroup["gateways"][0]];
		const told: unknown[] = [];
		const at = (baseURL: string, fetch?: typeof globalThis.fetch) =>
			new Anthropic({ baseURL, apiKey: group.key, ...(fetch && { fetch }) }).messages;
		const tools = [{ name: "step", input_schema: SCHEMA }];
		const messages: Anthropic.MessageParam[] = [{ role: "user", content: "c0" }];
		const first = await at(owner.url).create({ model: MODEL, max_tokens: 1000, messages, tools });
		const call = first.content.find(({ type }) => type === "tool_use") as Anthropic.ToolUseBlock;
		messages.push(
			{ role: "assistant", content: first.content },
			{ role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "c0-r1" }] },
		);
		const release = held(group);
		const api = at(asker.url, noting(told));
		const request = { model: MODEL, max_tokens: 1000, messages, tools };
		const second = stream ? api.stream(request).finalMessage() : api.create(request);
		await killOwner(group, "c0-r1", release);
		expect((await second).content).toMatchObject([{ type: "text", text: "c0-r1" }]);
		expect(told).toEqual(REPEATED);
		expect(group.seen.answered).toEqual(new Map([["c0-r1", 1]]));
	},
);
