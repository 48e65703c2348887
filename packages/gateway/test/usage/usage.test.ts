// What responses report of tokens, held against the emulator's own count, told or not.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { countTokens, type Reported, USAGE_CLIENTS } from "./clients.ts";
import { Conversation, expectBilled, expectNear } from "./conversation.ts";
import { ANSWER, COUNTING, FILE, FOLLOW_UP, NOTE, PATH_ARGUMENTS, QUESTION, SYSTEM, TOOLS } from "./words.ts";

const read = { name: "read_file", arguments: PATH_ARGUMENTS };
const search = { name: "search_text", arguments: { text: "the file with the settings is missing", limit: 20 } };

const answers: Brain = async function* () {
	yield { text: ANSWER };
};
/** A call alone, two at once, a call behind some text, and the answer: four responses of one run. */
const works: Brain = async function* () {
	yield { calls: [read] };
	yield { calls: [read, search] };
	yield { text: NOTE };
	yield { calls: [search] };
	yield { text: ANSWER };
};
const endless = (...texts: string[]): Brain =>
	async function* () {
		for (const text of texts) yield { text };
		yield { hang: "heartbeats" };
	};

const start = (brain: Brain, usage: string) =>
	startTestGateway({ emulator: { brain, switches: [`usage=${usage}`, "system-prompt=cloud-rule"] } });

/** The rows of the ledger tell the same as the responses did. */
async function expectLedger({ gateway, dataDir }: TestGateway, reports: readonly Reported[]): Promise<void> {
	await gateway.close();
	const store = await openStore({ dataDir, warn: (message) => expect.fail(message) });
	const rows = await store.lastRequests(100).finally(() => store.close());
	const told = rows
		.reverse()
		.map(({ inputTokens, outputTokens, cachedTokens }) => [inputTokens, outputTokens, cachedTokens]);
	expect(told).toEqual(reports.map(({ input, output, cached }) => [input, output, cached]));
}

describe.each(["told", "without-calls", "at-end", "silent"])("with usage %s", (usage) => {
	describe.each(USAGE_CLIENTS)("$name", (client) => {
		describe.each([
			["streamed", true],
			["whole", false],
		] as const)("%s", (_, stream) => {
			it("reports a question and further ones", async () => {
				const gateway = await start(answers, usage);
				const talk = new Conversation(gateway, client, stream, { system: [SYSTEM], tools: TOOLS });
				for (const text of [QUESTION, FOLLOW_UP, QUESTION]) await talk.say(text);
				expectBilled(talk.reports, gateway.emulator.bills());
				await expectLedger(gateway, talk.reports);
			});

			it("reports each response of a run that calls tools", async () => {
				const gateway = await start(works, usage);
				const talk = new Conversation(gateway, client, stream, { system: [SYSTEM], tools: TOOLS });
				await talk.say(QUESTION);
				for (let step = 0; step < 3; step++) await talk.answer(FILE);
				expect(gateway.emulator.bills()).toHaveLength(1);
				await talk.say(FOLLOW_UP);
				for (let step = 0; step < 3; step++) await talk.answer(FILE);
				expectBilled(talk.reports, gateway.emulator.bills());
				for (const [index, { input }] of talk.reports.entries()) {
					const before = talk.reports[index - 1];
					if (before) expect(input).toBeGreaterThanOrEqual(before.input + before.output);
				}
				await expectLedger(gateway, talk.reports);
			});

			it("reports an answer that was cut at its most tokens", async () => {
				const gateway = await start(endless(COUNTING.repeat(11), COUNTING), usage);
				const talk = new Conversation(gateway, client, stream, { system: [SYSTEM], maxTokens: 205 });
				expect(await talk.say(QUESTION)).toMatchObject({ output: 205 });
				expectBilled(talk.reports, gateway.emulator.bills());
				await expectLedger(gateway, talk.reports);
			});

			it.runIf(client.hasStop)("reports an answer that was cut at a stop sequence", async () => {
				const gateway = await start(endless(ANSWER, " END"), usage);
				const talk = new Conversation(gateway, client, stream, { system: [SYSTEM], tools: TOOLS, stop: "END" });
				await talk.say(QUESTION);
				expectBilled(talk.reports, gateway.emulator.bills());
				await expectLedger(gateway, talk.reports);
			});
		});
	});

	it("count_tokens, the start of a message and its response agree", async () => {
		const gateway = await start(works, usage);
		const client = USAGE_CLIENTS[2]!;
		const talk = new Conversation(gateway, client, true, { system: [SYSTEM], tools: TOOLS });
		const first = await talk.say(QUESTION);
		const counted = await countTokens(gateway, { ...talk.question, messages: talk.messages.slice(0, 1) });
		expect(first).toMatchObject({ input: counted, inputAtStart: counted });
		const second = await talk.answer(FILE);
		const countedNext = await countTokens(gateway, { ...talk.question, messages: talk.messages.slice(0, 3) });
		expectNear(second.inputAtStart!, countedNext, "the start of the second response");
		expectNear(second.input, countedNext, "the second response");
	});
});

describe.each(["unified", "legacy"])("over the %s protocol", (protocol) => {
	it.each(["told", "silent"])("reports each response, with usage %s", async (usage) => {
		const isUnified = protocol === "unified";
		const gateway = await startTestGateway({
			settings: { protocol },
			emulator: { brain: isUnified ? works : answers, switches: [`usage=${usage}`] },
		});
		const talk = new Conversation(gateway, USAGE_CLIENTS[0]!, true, isUnified ? { tools: TOOLS } : {});
		await talk.say(QUESTION);
		if (isUnified) for (let step = 0; step < 3; step++) await talk.answer(FILE);
		else await talk.say(FOLLOW_UP);
		expectBilled(talk.reports, gateway.emulator.bills());
		await expectLedger(gateway, talk.reports);
	});
});
