// Which rung of the ladder a request takes, and that the model gets the same to see on each of them.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { STORE_FILE } from "../../src/store/open-store.ts";
import {
	type Answer,
	ask,
	type Message,
	numberOf,
	result,
	runsOf,
	steps,
	system,
	tool,
	transcript,
	user,
} from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";

const STEP = [tool("step")];
const BLOB_ID = /^[A-Za-z0-9+/]{43}=$/;

describe("a conversation with tools", () => {
	it.each([
		[false, false],
		[true, false],
		[true, true],
	])("of five steps is one run (stream: %s, HTTP/1.1: %s)", async (stream, http1) => {
		const gateway = await startTestGateway({ emulator: { brain: steps(5) }, settings: { http1 } });
		const messages: Message[] = [user("go")];
		const answers: Answer[] = [await ask(gateway, messages, { tools: STEP, stream })];
		for (let n = 1; n <= 5; n++) {
			const { message, calls } = answers.at(-1)!;
			expect(calls.map(numberOf)).toEqual([n]);
			messages.push(message, result(calls[0]!, `r${n}`));
			answers.push(await ask(gateway, messages, { tools: STEP, stream }));
		}
		expect(answers.map(({ path }) => path)).toEqual(["new", ...Array(5).fill("parked")]);
		expect(new Set(answers.map(({ session }) => session)).size).toBe(1);
		expect(answers.at(-1)).toMatchObject({ text: "r1 r2 r3 r4 r5", finish: "stop", warnings: "" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 5, ended: 1, failed: 0 });
		expect(gateway.gateway.parkedRuns()).toBe(0);
	});

	it("says which rung it took also where the next call was there before the result", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain() {
					const [a, b] = yield { calls: [1, 2].map((n) => ({ name: "step", arguments: { n } })) };
					yield { text: `${a.text} ${b.text}` };
				},
			},
		});
		const options = { tools: STEP, stream: true, more: { parallel_tool_calls: false } };
		const messages: Message[] = [user("go")];
		const first = await ask(gateway, messages, options);
		messages.push(first.message, result(first.calls[0]!, "r1"));
		const second = await ask(gateway, messages, options);
		messages.push(second.message, result(second.calls[0]!, "r2"));
		const third = await ask(gateway, messages, options);
		expect([first, second, third].map(({ path }) => path)).toEqual(["new", "parked", "parked"]);
		expect(second.session).toBe(first.session);
		expect(third.text).toBe("r1 r2");
	});

	it("goes on with a new message by checkpoint, results included", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					if (turn.prompt === "go") yield* steps(1)(turn);
					else yield* transcript(turn);
				},
			},
		});
		const messages: Message[] = [user("go")];
		const first = await ask(gateway, messages, { tools: STEP });
		messages.push(first.message, result(first.calls[0]!, "r1"));
		const second = await ask(gateway, messages, { tools: STEP });
		messages.push(second.message, user("and now?"));
		const third = await ask(gateway, messages, { tools: STEP });
		expect(third.path).toBe("checkpoint");
		expect(third.text).toBe("user:go | assistant:<tool-call> | tool:r1 | assistant:r1 | user:and now?");
	});

	it("S1: takes results of calls nobody knows by rebuilding", async () => {
		const gateway = await startTestGateway({ emulator: { brain: steps(2) } });
		const call = {
			id: "call_of_another_life",
			type: "function" as const,
			function: { name: "step", arguments: '{"n":1}' },
		};
		const history: Message[] = [
			user("go"),
			{ role: "assistant", content: null, tool_calls: [call] },
			result(call, "r1"),
		];
		const first = await ask(gateway, history, { tools: STEP });
		expect(first).toMatchObject({ status: 200, path: "rebuild" });
		expect(first.calls.map(numberOf)).toEqual([2]);
		const second = await ask(gateway, [...history, first.message, result(first.calls[0]!, "r2")], { tools: STEP });
		expect(second).toMatchObject({ path: "parked", text: "r1 r2" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumed: 1, resumedByToolResult: 1 });
	});
});

describe("a plain chat", () => {
	it("sends only its new message, and what it referred to is not sent as new", async () => {
		const gateway = await startTestGateway({ emulator: { brain: transcript, strict: true } });
		const messages: Message[] = [system("Be kind."), user("one")];
		const first = await ask(gateway, messages);
		messages.push(first.message, user("two"));
		const second = await ask(gateway, messages);
		messages.push(second.message, user("three"));
		const third = await ask(gateway, messages);

		expect([first, second, third].map(({ path }) => path)).toEqual(["new", "checkpoint", "checkpoint"]);
		expect(third.text).toBe(`user:one | assistant:${first.text} | user:two | assistant:${second.text} | user:three`);
		const runs = runsOf(gateway.emulator);
		expect(runs.map(({ newest }) => newest)).toEqual(["one", "two", "three"]);
		expect(new Set(runs.map(({ conversationId }) => conversationId)).size).toBe(1);
		const roots = runs.map(({ state }) => state.rootPromptMessagesJson ?? []);
		// Ids, not content; and each state begins with all of the one before it, as Cursor itself wrote it.
		expect(roots.flat().every((id) => BLOB_ID.test(id))).toBe(true);
		expect(roots.map(({ length }) => length)).toEqual([0, 2, 4]);
		expect(roots[2]!.slice(0, 2)).toEqual(roots[1]);
		expect(runs.map(({ state }) => state.turns?.length ?? 0)).toEqual([0, 1, 2]);
		expect(gateway.emulator.stats().blobs.missing).toBe(0);
	});

	it("keeps what the user said, where Cursor hands states back without it", async () => {
		const gateway = await startTestGateway({
			emulator: { brain: transcript, switches: ["checkpoint-users=placeholder"] },
		});
		const messages: Message[] = [user("one")];
		const answers: Answer[] = [];
		for (const next of ["two", "three", "four"]) {
			answers.push(await ask(gateway, messages));
			messages.push(answers.at(-1)!.message, user(next));
		}
		const [a, b, c] = answers.map(({ text }) => text);
		const { path, text } = await ask(gateway, messages);
		expect(text).toBe(
			`user:one | assistant:${a} | user:two | assistant:${b} | user:three | assistant:${c} | user:four`,
		);
		expect(["checkpoint", "rebuild"]).toContain(path);
	});

	it("stays on its rung whatever a client changes about the form of the history", async () => {
		const gateway = await startTestGateway({ emulator: { brain: transcript } });
		const first = await ask(gateway, [system("It is noon."), user("one")]);
		const answer = { ...first.message, reasoning_content: "hm", content: [{ type: "text", text: first.text }] };
		const asked = {
			role: "user",
			content: [
				{ type: "text", text: "o" },
				{ type: "text", text: "ne" },
			],
		};
		const history = [system("It is one o'clock."), asked, answer, user("two")] as Message[];
		const second = await ask(gateway, history);
		expect(second).toMatchObject({ path: "checkpoint", text: `user:one | assistant:${first.text} | user:two` });
	});

	it.each(["cloud-rule", "rules", "root"])(
		"follows a system prompt that changes, where Cursor reads it from %s",
		async (channel) => {
			const gateway = await startTestGateway({
				settings: { systemPrompt: channel },
				emulator: {
					switches: [`system-prompt=${channel}`],
					async *brain(turn) {
						yield { text: [...turn.system, ...turn.rules].join("\n\n") || "(none)" };
					},
				},
			});
			const first = await ask(gateway, [system("Be a pirate."), user("one")]);
			const past = [user("one"), first.message];
			const second = await ask(gateway, [system("Be a cook."), system("Be brief."), ...past, user("two")]);
			const third = await ask(gateway, [...past, user("two")]);
			expect([second.path, third.path]).toEqual(["checkpoint", "checkpoint"]);
			expect([first, second, third].map(({ text }) => text)).toEqual([
				"Be a pirate.",
				"Be a cook.\n\nBe brief.",
				"(none)",
			]);
		},
	);

	it.each<[string, (answer: Message) => { messages: Message[]; tools?: object[]; model?: string }]>([
		["an edited question", (answer) => ({ messages: [user("uno"), answer, user("two")] })],
		[
			"an edited answer",
			() => ({ messages: [user("one"), { role: "assistant", content: "I never said that" }, user("two")] }),
		],
		["other tools", (answer) => ({ messages: [user("one"), answer, user("two")], tools: STEP })],
		["another model", (answer) => ({ messages: [user("one"), answer, user("two")], model: "auto" })],
		["two messages at once", (answer) => ({ messages: [user("one"), answer, user("and"), user("two")] })],
		["a longer past", (answer) => ({ messages: [user("zero"), answer, user("one"), answer, user("two")] })],
	])("is rebuilt for %s, with the content as it is now", async (_, change) => {
		const gateway = await startTestGateway({ emulator: { brain: transcript } });
		const first = await ask(gateway, [user("one")]);
		const { messages, ...options } = change(first.message);
		const second = await ask(gateway, messages, options);
		expect(second).toMatchObject({
			path: "rebuild",
			text: messages.map(({ role, content }) => `${role}:${content}`).join(" | "),
		});
		expect(second.session).not.toBe(first.session);
		expect(runsOf(gateway.emulator)[1]!.tools).toEqual(options.tools ? ["step"] : []);
	});

	it("is told as it is now when it is long and was edited in the middle", async () => {
		const gateway = await startTestGateway({ emulator: { brain: transcript } });
		const long = "word ".repeat(20_000);
		const history = (answer: string): Message[] => [user(long), { role: "assistant", content: answer }, user("and?")];
		const first = await ask(gateway, history("said before"));
		expect(first.text).toContain("said before");
		const edited = await ask(gateway, [...history("said instead"), first.message, user("so?")]);
		expect(edited.text).toContain(long.trim());
		expect(edited.text).toContain("assistant:said instead | user:and?");
	});

	it("goes back to an earlier checkpoint when its last question is asked anew", async () => {
		const gateway = await startTestGateway({ emulator: { brain: transcript } });
		const first = await ask(gateway, [user("one")]);
		const past = [user("one"), first.message];
		const second = await ask(gateway, [...past, user("two")]);
		const other = await ask(gateway, [...past, user("two, better")]);
		expect(other).toMatchObject({ path: "checkpoint", text: `user:one | assistant:${first.text} | user:two, better` });
		// Both branches can be gone on with.
		for (const [asked, { message, text }] of [
			["two", second],
			["two, better", other],
		] as const) {
			const next = await ask(gateway, [...past, user(asked), message, user("three")]);
			expect(next).toMatchObject({
				path: "checkpoint",
				text: `user:one | assistant:${first.text} | user:${asked} | assistant:${text} | user:three`,
			});
		}
	});

	it("is rebuilt after an answer that was cut, as the model never said so little", async () => {
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					if (turn.messages.length > 1) return yield* transcript(turn);
					yield { text: "one two " };
					yield { text: "STOP three" };
				},
			},
		});
		const first = await ask(gateway, [user("count")], { more: { stop: "STOP" } });
		expect(first).toMatchObject({ text: "one two ", finish: "stop" });
		const second = await ask(gateway, [user("count"), first.message, user("go on")]);
		expect(second).toMatchObject({
			path: "rebuild",
			text: "user:count | assistant:one two  | user:go on",
		});
	});

	it("works on all rungs without a disk", async () => {
		const dataDir = temporaryFolder();
		// A folder in the place of the file: no database can be opened there.
		mkdirSync(join(dataDir, STORE_FILE));
		const gateway = await startTestGateway({ emulator: { brain: transcript }, settings: { dataDir } });
		expect(await (await fetch(`${gateway.url}/healthz`)).json()).toMatchObject({ status: "degraded", store: "memory" });
		const first = await ask(gateway, [user("one")]);
		const second = await ask(gateway, [user("one"), first.message, user("two")]);
		const third = await ask(gateway, [user("uno"), first.message, user("two")]);
		expect([first, second, third].map(({ path }) => path)).toEqual(["new", "checkpoint", "rebuild"]);
		expect(second.text).toBe(`user:one | assistant:${first.text} | user:two`);
	});
});
