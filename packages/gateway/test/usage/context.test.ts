// What a client shows as "context used": it must not fall where nothing was lost, and must where something was.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { startTestGateway } from "../kit/gateway.ts";
import { USAGE_CLIENTS } from "./clients.ts";
import { Conversation, expectNear } from "./conversation.ts";
import { ANSWER, FILE, FOLLOW_UP, QUESTION, TOOLS } from "./words.ts";

const [chat, , messages] = USAGE_CLIENTS;
const call = { calls: [{ name: "read_file", arguments: { path: "settings.ts" } }] };

/** A server with a long prompt of its own, which only its figures show. */
const withOwnPrompt = (own: number): Brain =>
	async function* (turn) {
		const prompt = own + JSON.stringify(turn.messages).length / 5;
		yield call;
		yield { usage: { usedTokens: Math.round(prompt + 200) } };
		yield { checkpoint: true };
		yield { text: ANSWER };
		yield { usage: { usedTokens: Math.round(prompt + 300) } };
	};

const growing = (figures: number[]) => [...figures].sort((one, other) => one - other);

describe("what fills the context", () => {
	it.each(["agent", "unified"])("does not fall from turn to turn because of an estimate (%s)", async (protocol) => {
		const gateway = await startTestGateway({
			settings: { protocol },
			emulator: { brain: withOwnPrompt(8000), switches: ["checkpoint-users=placeholder"] },
		});
		const talk = new Conversation(gateway, chat!, true, { tools: TOOLS });
		for (const text of [QUESTION, FOLLOW_UP, QUESTION]) {
			await talk.say(text);
			await talk.answer(FILE);
		}
		const inputs = talk.reports.map(({ input }) => input);
		expect(inputs).toEqual(growing(inputs));
		if (protocol === "agent") expect(inputs[2]).toBeGreaterThan(8000);
	});

	it("stands still where Cursor counts less than was estimated, until it has caught up", async () => {
		const used = [20, 30, 5000];
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					for (const usedTokens of used) {
						yield { usage: { usedTokens } };
						yield call;
					}
					yield { text: "done" };
				},
			},
		});
		const talk = new Conversation(gateway, chat!, true, { tools: TOOLS });
		await talk.say(QUESTION);
		for (const _ of used) await talk.answer("ok");
		const [first, ...others] = talk.reports.map(({ input }) => input);
		expect(others.slice(0, 2)).toEqual([first, first]);
		expect(others[2]).toBeGreaterThan(4900);
	});

	it("falls where Cursor itself says that the conversation became shorter", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					for (const usedTokens of [90_000, 20_000]) {
						yield { usage: { usedTokens } };
						yield call;
					}
					yield { text: "done" };
				},
			},
		});
		const talk = new Conversation(gateway, chat!, true, { tools: TOOLS });
		await talk.say(QUESTION);
		for (let step = 0; step < 2; step++) await talk.answer("ok");
		expect(talk.reports.slice(1).map(({ input }) => input)).toEqual([90_000, 20_000 - talk.reports[2]!.output]);
	});

	it("falls where the client shortened its history", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					yield { text: ANSWER };
				},
				switches: ["usage=silent"],
			},
		});
		const talk = new Conversation(gateway, messages!, true);
		await talk.say(QUESTION.repeat(20));
		const long = await talk.say(FOLLOW_UP);
		talk.messages.splice(0, 2);
		const short = await talk.say(FOLLOW_UP);
		expect(short.input).toBeLessThan(long.input / 4);
	});

	it("is known at the start of a response that goes on, results included", async () => {
		const gateway = await startTestGateway({ emulator: { brain: withOwnPrompt(8000) } });
		const talk = new Conversation(gateway, messages!, true, { tools: TOOLS });
		await talk.say(QUESTION);
		await talk.answer(FILE);
		const next = await talk.say(FOLLOW_UP);
		expect(next.inputAtStart).toBeGreaterThan(8000);
		expectNear(next.inputAtStart!, next.input, "the start of the next turn");
	});
});

describe("an answer that is cut within a word", () => {
	const word = "Donaudampfschifffahrtsgesellschaftskapitänswitwenversicherung";

	it.each([1, 2, 3, 5, 8, 13])("has no more than the %i tokens that it may have", async (maxTokens) => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					yield { text: word };
				},
			},
		});
		const report = await new Conversation(gateway, chat!, false, { maxTokens }).say(QUESTION);
		expect(word.startsWith(report.text)).toBe(true);
		expect(report.output).toBe(maxTokens);
	});
});

describe("what was read from a cache", () => {
	const usage = { inputTokens: 100, outputTokens: 20, cacheReadTokens: 30 };
	const read: Brain = async function* () {
		yield { text: "yes" };
		yield { usage };
	};

	it.each([
		["included", 100],
		["added", 130],
	])("is %s: an input of %i, of which 30 were cached", async (cacheTokens, input) => {
		for (const client of USAGE_CLIENTS) {
			const gateway = await startTestGateway({ settings: { cacheTokens }, emulator: { brain: read } });
			const report = await new Conversation(gateway, client, false).say("?");
			expect(report).toMatchObject({ input, cached: 30, output: 20, total: input + 20 });
		}
	});
});
