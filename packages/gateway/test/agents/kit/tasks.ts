// The work every agent has to do, through the gateway, on files that are looked at afterwards.
import { randomBytes } from "node:crypto";
import type { Action, Call, CallResult } from "cursorwire-emulator";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { type Agent, APIS, type Api, type BuiltIn, type Setup } from "./agent.ts";
import { installAgent } from "./install.ts";
import { testLimitStatuses } from "./limit-statuses.ts";
import { expectPromptsOf, testUnifiedPrompts } from "./prompts.ts";
import { openRig, type Rig, type RigOptions } from "./rig.ts";
import { testSpendLimit } from "./spend-limit.ts";

/** `npm run test:clients -- --quick`: what depends neither on the API nor on the way to Cursor is done with one of them. */
const IS_QUICK = process.env.CURSORWIRE_TEST_QUICK === "1";

const CHANNELS = [
	{ channel: "HTTP/2", http1: false },
	{ channel: "HTTP/1.1", http1: true },
];

/** A word that is in one place only, so whoever knows it has been there. */
const secretWord = () => `word-${randomBytes(6).toString("hex")}`;
const wordIn = (text: string) => /word-[0-9a-f]{12}/.exec(text)?.[0] ?? `(no word in: ${text.slice(0, 500)})`;

export function testAgent({ name, package: wanted, setups, startsFast = false }: Agent): void {
	let program: string[];
	beforeAll(async () => {
		program = await installAgent(wanted);
	});
	for (const [index, setup] of setups.entries()) {
		const way = [name, APIS[setup.api], ...(setup.note ? [setup.note] : [])].join(", ");
		const isWhole = !IS_QUICK || index === 0;
		const hasAllChannels = isWhole && (!IS_QUICK || startsFast);
		for (const { channel, http1 } of hasAllChannels ? CHANNELS : CHANNELS.slice(0, 1)) {
			const open: Open = (scripts) => openRig({ program, setup, settings: { http1 }, scripts });
			describe(`${way}, upstream over ${channel}`, () => {
				// What an agent sends does not depend on the way to Cursor.
				if (!IS_QUICK || !http1) testTwoTools(setup, open);
				testSecondTurn(setup, open);
				if (!isWhole || (IS_QUICK && http1)) return;
				testAnswers(setup, open);
				testTools(setup, open);
			});
		}
		if (isWhole) testUnifiedPrompts(way, setup, () => program, IS_QUICK);
		if (index > 0) continue;
		describe(`${way}, at a limit`, () => {
			testSpendLimit(setup, () => program);
			// Minutes of waiting, in which nothing of the gateway's is at stake.
			if (!IS_QUICK) testLimitStatuses(setup, () => program);
		});
	}
}

// biome-ignore lint/suspicious/noExplicitAny: what a yield resumes with depends on the action before it
type Attempt = AsyncGenerator<Action, string, any>;
type Open = (scripts: RigOptions["scripts"]) => Promise<Rig>;

/** What the model reads is looked at, too: that, once, and nothing else. */
function testTwoTools({ api, tools, oneAtATime }: Setup, open: Open): void {
	test("uses two tools at once", async () => {
		const [first, second] = [secretWord(), secretWord()];
		const rig = await open({
			"Look at both": ({ path }) =>
				async function* () {
					const [read, ran]: CallResult[] = yield {
						calls: [tools.read(path("one.txt")), tools.run(`cat ${path("two.txt")}`)],
					};
					yield { text: `One is ${wordIn(read!.text)}, two is ${wordIn(ran!.text)}.` };
				},
		});
		rig.put("one.txt", `${first}\n`);
		rig.put("two.txt", `${second}\n`);
		const { code, output } = await rig.start("Look at both files.");
		expect(output).toContain(`One is ${first}, two is ${second}.`);
		expect(code).toBe(0);
		await expectRuns(rig, { api, turns: 1, steps: oneAtATime ? 2 : 1 });
		expectPromptsOf(rig, ["Look at both files."]);
	});
}

/** And what the model reads then. */
function testSecondTurn({ api, tools, rewritesHistory }: Setup, open: Open): void {
	test("takes a second turn that depends on the first", async () => {
		const word = secretWord();
		const rig = await open({
			"Read note.txt": ({ path }) =>
				async function* () {
					const [result]: CallResult[] = yield { calls: [tools.read(path("note.txt"))] };
					yield { text: `The note says ${wordIn(result!.text)}.` };
				},
			"Which word was it": () =>
				async function* ({ messages }) {
					const answers = messages.flatMap(({ role, content }) =>
						role === "assistant" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
					);
					const results = messages.flatMap(({ content }) => content.filter(({ type }) => type === "tool-result"));
					yield { text: `I said: ${answers.join("")} I had read ${wordIn(JSON.stringify(results))}.` };
				},
		});
		rig.put("note.txt", `${word}\n`);
		const first = await rig.start("Read note.txt and tell me the word in it.");
		expect(first).toMatchObject({ code: 0, output: expect.stringContaining(`The note says ${word}.`) });
		const second = await rig.resume("Which word was it?");
		expect(second.output).toContain(`I said: The note says ${word}. I had read ${word}.`);
		expect(second.code).toBe(0);
		await expectRuns(rig, { api, turns: 2, steps: 1 });
		expect(rig.answers.some(({ path }) => path === "checkpoint")).toBe(!rewritesHistory);
		expectPromptsOf(rig, ["Read note.txt and tell me the word in it.", "Which word was it?"]);
	});
}

/** All of them are also parts of "uses two tools at once" and "is asked for Cursor's built-in tools". */
const testUnlessQuick = test.skipIf(IS_QUICK);

/** One tool at a time. */
function testTools({ api, tools }: Setup, open: Open): void {
	testUnlessQuick("reads a file and reports its content", async () => {
		const word = secretWord();
		const rig = await open({
			"Read note.txt": ({ path }) =>
				async function* () {
					const [result]: CallResult[] = yield { calls: [tools.read(path("note.txt"))] };
					yield { text: `The note says ${wordIn(result!.text)}.` };
				},
		});
		rig.put("note.txt", `first line\n${word}\n`);
		const { code, output } = await rig.start("Read note.txt and tell me the word in it.");
		expect(output).toContain(`The note says ${word}.`);
		expect(code).toBe(0);
		await expectRuns(rig, { api, turns: 1, steps: 1 });
	});

	testUnlessQuick("writes a file", async () => {
		const rig = await open({
			"Write made.txt": ({ path }) =>
				async function* () {
					const [result]: CallResult[] = yield { calls: [tools.write(path("made.txt"), "größer\n日本語 🚀\n")] };
					yield { text: result!.isError ? `It failed: ${result!.text}` : "The file is written." };
				},
		});
		const { code, output } = await rig.start("Write made.txt for me.");
		expect(output).toContain("The file is written.");
		expect(rig.content("made.txt").trimEnd()).toBe("größer\n日本語 🚀");
		expect(code).toBe(0);
		await expectRuns(rig, { api, turns: 1, steps: 1 });
	});

	testUnlessQuick("runs a command", async () => {
		const word = secretWord();
		const rig = await open({
			"Run the command": ({ path }) =>
				async function* () {
					const command = `tr a-z A-Z < ${path("in.txt")} > ${path("out.txt")}; cat ${path("in.txt")}`;
					const [result]: CallResult[] = yield { calls: [tools.run(command)] };
					yield { text: `It printed ${wordIn(result!.text)}.` };
				},
		});
		rig.put("in.txt", `${word}\n`);
		const { code, output } = await rig.start("Run the command that copies in.txt in capitals.");
		expect(output).toContain(`It printed ${word}.`);
		expect(rig.content("out.txt")).toBe(`${word.toUpperCase()}\n`);
		expect(code).toBe(0);
		await expectRuns(rig, { api, turns: 1, steps: 1 });
	});
}

/** What Cursor may answer beside text and calls. */
function testAnswers({ api, tools, serves, refused }: Setup, open: Open): void {
	test("shows an upstream error", async () => {
		const rig = await open({
			"Try it": () =>
				async function* () {
					yield { error: USAGE_LIMIT };
				},
		});
		const { code, output } = await rig.start("Try it.");
		expect(output).toContain(USAGE_LIMIT.details.detail);
		expect(code).toBe(refused.code);
		expect(rig.model.main).toHaveLength(refused.tries);
	});

	test("is asked for Cursor's built-in tools", async () => {
		const word = secretWord();
		const served: BuiltIn[] = [];
		const rig = await open({
			"Copy the note": ({ path }) =>
				async function* () {
					const [from, to] = [path("note.txt"), path("copy.txt")];
					/** As a model does: what is refused it tries with the tool that the refusal names. */
					async function* attempt(kind: BuiltIn, args: Record<string, unknown>, instead: Call): Attempt {
						const { value } = yield { exec: { kind, args } };
						if (value.result.case !== "rejected") served.push(kind);
						else if (value.result.value.reason.includes(instead.name)) return (yield { calls: [instead] })[0].text;
						return JSON.stringify(value.result, withoutBigInts);
					}
					const text = `${wordIn(yield* attempt("read", { path: from }, tools.read(from)))} größer 日本語 🚀\n`;
					yield* attempt("write", { path: to, fileText: text }, tools.write(to, text));
					const command = `cat ${to}`;
					const copy = wordIn(yield* attempt("shell", { command, timeout: 30_000 }, tools.run(command)));
					yield { text: `The copy says ${copy}.` };
				},
		});
		rig.put("note.txt", `${word}\n`);
		const { code, output } = await rig.start("Copy the note.");
		expect(output).toContain(`The copy says ${word}.`);
		expect(rig.content("copy.txt").trimEnd()).toBe(`${word} größer 日本語 🚀`);
		expect(code).toBe(0);
		expect(served).toEqual(serves);
		await expectRuns(rig, { api, turns: 1, steps: 3 });
	});
}

const USAGE_LIMIT = {
	code: "resource_exhausted",
	message: "Error",
	details: {
		error: "ERROR_PRO_USER_USAGE_LIMIT",
		title: "You have hit your usage limit.",
		detail: "It resets on the first of the month.",
		isRetryable: false,
	},
} as const;

interface Work {
	api: Api;
	/** Prompts of the user. */
	turns: number;
	/** How often the agent came back with results of tools, of one or of several at once. */
	steps: number;
}

/** One run a turn, into which all results went, over the channel and the API that were meant. Titles are counted apart. */
function expectRuns({ emulator, model, answers, http1 }: Rig, { api, turns, steps }: Work): Promise<void> {
	// What an agent asked beside its work may be under way when it ends.
	return vi.waitFor(() => {
		const { runs, rpcs, streams } = emulator.stats();
		expect(streams.open).toBe(0);
		expect(model.main).toHaveLength(turns);
		const started = turns + model.aside.length;
		expect(runs).toMatchObject({ started, failed: 0, resumed: 0 });
		expect(rpcs[`/agent.v1.AgentService/${http1 ? "RunSSE" : "Run"}`]).toBe(started);
		expect(answers.filter(({ path }) => path === "parked")).toHaveLength(steps);
		expect(answers.filter(({ dialect, status }) => dialect !== api || status !== 200)).toEqual([]);
	}, SETTLE);
}

const SETTLE = { timeout: 120_000, interval: 20 };

function withoutBigInts(_key: string, value: unknown): unknown {
	return typeof value === "bigint" ? String(value) : value;
}
