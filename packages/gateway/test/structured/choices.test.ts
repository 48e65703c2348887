import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { answer, call, format, PERSON, result, startRig, tool, user } from "./rig.ts";

const messages = [user("say")];
const body = { model: "composer-1", messages, n: 3 };

describe("several answers to one request", () => {
	it("are runs of their own, in one reply", async () => {
		const rig = await startRig([{ text: "a" }], [{ text: "b" }], [{ text: "c" }]);
		const { choices, usage } = await rig.client.chat.completions.create(body);
		expect(choices.map(({ index }) => index)).toEqual([0, 1, 2]);
		expect(choices.map(({ message }) => message.content).sort()).toEqual(["a", "b", "c"]);
		expect(choices.map(({ finish_reason: finish }) => finish)).toEqual(["stop", "stop", "stop"]);
		expect(usage!.total_tokens).toBe(usage!.prompt_tokens + usage!.completion_tokens);
		expect(new Set(rig.turns.map(({ conversationId }) => conversationId)).size).toBe(3);
		expect(rig.emulator.stats().runs).toMatchObject({ started: 3, ended: 3 });
	});

	it("share one stream", async () => {
		const slow = (word: string) => [{ text: `${word} ` }, { delay: 5 }, { text: word }];
		const rig = await startRig(slow("a"), slow("b"), slow("c"));
		const texts = ["", "", ""];
		const finishes: (string | null)[] = [];
		let usages = 0;
		const stream = await rig.client.chat.completions.create({
			...body,
			stream: true,
			stream_options: { include_usage: true },
		});
		for await (const chunk of stream) {
			if (chunk.usage) usages++;
			for (const { index, delta, finish_reason: finish } of chunk.choices) {
				texts[index] += delta.content ?? "";
				if (finish) finishes.push(finish);
			}
		}
		expect(texts.sort()).toEqual(["a a", "b b", "c c"]);
		expect(finishes).toEqual(["stop", "stop", "stop"]);
		expect(usages).toBe(1);
	});

	it("are each held to the schema", async () => {
		const people = ["Ada", "Bob", "Cyd"].map((name, age) => ({ name, age }));
		const rig = await startRig(...people.map((person) => [answer({ name: 1 }), answer(person)]));
		const { choices } = await rig.client.chat.completions.create({ ...body, response_format: format(PERSON) });
		const given = choices.map(({ message }) => JSON.parse(message.content!) as { name: string; age: number });
		expect(given.sort((a, b) => a.age - b.age)).toEqual(people);
		expect(rig.emulator.stats().runs).toMatchObject({ started: 3, resumedByToolResult: 3 });
		await until(() => rig.gateway.parkedRuns() === 0);
	});

	it("to a tool's result are answers of their own as well, and only one goes on in the run that waited", async () => {
		const rig = await startRig([call("look"), { text: "went on" }], [{ text: "rebuilt" }]);
		const first = await rig.ask({ messages, tools: [tool("look")] });
		const { choices } = await rig.client.chat.completions.create({
			...body,
			n: 2,
			messages: [...messages, first.message, result(first.calls[0]!.id, "r")],
			tools: [tool("look")],
		});
		expect(choices.map(({ message }) => message.content)).toEqual(["went on", "rebuilt"]);
		expect(rig.turns[1]!.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
	});

	it.each([false, true])("fail together, and end upstream together (stream: %s)", async (stream) => {
		const failing = { error: { code: "invalid_argument" as const, message: "no" } };
		const rig = await startRig([{ text: "a" }, { hang: true }], [{ delay: 30 }, failing], [{ hang: true }]);
		const reading = async () => {
			if (!stream) return rig.client.chat.completions.create(body);
			for await (const _ of await rig.client.chat.completions.create({ ...body, stream: true }));
			return undefined;
		};
		await expect(reading()).rejects.toThrow();
		await until(() => rig.emulator.stats().runs.cancelled.length === 2);
		expect(rig.emulator.stats().runs).toMatchObject({ started: 3, failed: 1 });
	});

	it.each([false, true])("all end upstream when the client leaves (stream: %s)", async (stream) => {
		const rig = await startRig([{ hang: true }], [{ text: "b" }, { hang: true }], [{ hang: true }]);
		const leaving = new AbortController();
		const asked = rig.client.chat.completions.create({ ...body, stream }, { signal: leaving.signal });
		const ended = asked.then(async (reply) => {
			if (Symbol.asyncIterator in reply) for await (const _ of reply);
		});
		await until(() => rig.turns.length === 3);
		leaving.abort();
		await ended.catch(() => {});
		await until(() => rig.emulator.stats().runs.cancelled.length === 3);
	});

	it("may be as many as there can be, without a leak of listeners", async () => {
		const warnings: string[] = [];
		const listen = ({ name }: Error) => void warnings.push(name);
		process.on("warning", listen);
		const rig = await startRig(...Array.from({ length: 8 }, () => [{ text: "x" }]));
		const { choices } = await rig.client.chat.completions.create({ ...body, n: 8 });
		await new Promise((resolve) => setImmediate(resolve));
		process.off("warning", listen);
		expect(choices).toHaveLength(8);
		expect(warnings).toEqual([]);
	});
});
