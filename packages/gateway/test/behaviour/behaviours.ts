import type { Brain, EmulatorOptions } from "cursorwire-emulator";
import { describe, expect } from "vitest";
import type { TurnMessage } from "../../src/turn/request.ts";
import { until } from "../kit/cleanup.ts";
import { type Response, result, tool, user } from "../kit/upstream.ts";
import type { Rig, StartRig } from "./rig.ts";
import { rows, type SkippedRows } from "./rows.ts";
import { tidily } from "./tidily.ts";

const PNG = Buffer.from(
	"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
	"base64",
);

/** The assistant's part of a response, to be sent back. */
const said = ({ turn }: Response): TurnMessage => ({ role: "assistant", content: turn.content });
const results = (...parts: ReturnType<typeof result>[]): TurnMessage => ({ role: "tool", content: parts });

/** A word at a time, so that what was said has left before something breaks. */
const slowly: Brain = async function* (turn) {
	for (const word of turn.prompt.split(" ")) {
		yield { text: `${word} ` };
		yield { delay: 10 };
	}
};

/** What a tool brought to a file or a command, in the words of whichever protocol carried it. */
const fileText = ({ value }: { value: { contents?: string; result?: { value: { output: { value: string } } } } }) =>
	value.contents ?? value.result?.value.output.value;
const shellText = (shell: { stdout?: string; exitCode?: number; value?: { output: string; exitCode: number } }) =>
	`${shell.stdout ?? shell.value?.output}|${shell.exitCode ?? shell.value?.exitCode}`;

/** What every way to a model must do, run for each of them. Rows that a way cannot express are skipped by name. */
export function describeBehaviours(name: string, startRig: StartRig, skipped: SkippedRows = {}): void {
	const it = rows(skipped);
	const start = tidily(startRig);
	const withBrain = (brain: Brain | string, more: EmulatorOptions = {}) => start({ emulator: { brain, ...more } });

	describe(name, () => {
		it("streams text", async () => {
			const rig = await withBrain("echo");
			const response = await rig.ask({ messages: [user("one two three")] });
			expect(response).toMatchObject({ text: "one two three", error: undefined });
			expect(response.turn.end?.reason).toBe("stop");
			expect(response.events.filter(({ type }) => type === "text-delta").length).toBeGreaterThan(0);
		});

		it("keeps thinking apart from text", async () => {
			const rig = await withBrain(async function* () {
				yield { thinking: "hm, " };
				yield { thinking: "well" };
				yield { text: "yes" };
			});
			const response = await rig.ask({ messages: [user("?")] });
			expect(response).toMatchObject({ text: "yes", thinking: "hm, well" });
		});

		it("counts tokens as Cursor counts them", async () => {
			const rig = await withBrain(async function* () {
				yield { thinking: "hm" };
				yield { text: "yes" };
				yield { usage: { inputTokens: 100, outputTokens: 20, cacheReadTokens: 30, reasoningTokens: 5 } };
			});
			const response = await rig.ask({ messages: [user("?")] });
			expect(response.turn.usage).toMatchObject({
				inputTokens: 100,
				outputTokens: 20,
				cachedInputTokens: 30,
				reasoningTokens: rig.countsReasoning ? 5 : 0,
			});
		});

		it("hands a call to the client and goes on with its result in the same run", async () => {
			const rig = await withBrain(async function* (turn) {
				yield { text: "Looking. " };
				const [found] = yield { calls: [{ name: "look", arguments: { at: "a.txt", n: 3 } }] };
				yield { text: `${turn.tools.map((each) => each.name)}: ${found.text}` };
			});
			const tools = [tool("look", { at: { type: "string" } })];
			const first = await rig.ask({ messages: [user("look")], tools });
			expect(first.turn.end?.reason).toBe("tool-calls");
			expect(first.calls).toMatchObject([{ name: "look" }]);
			expect(JSON.parse(first.calls[0]!.arguments)).toEqual({ at: "a.txt", n: 3 });
			expect(first.calls[0]!.id).toMatch(/^call_[0-9a-f]{32}$/);
			const second = await rig.ask({
				messages: [user("look"), said(first), results(result(first.calls[0]!.id, "42"))],
				tools,
			});
			expect(second).toMatchObject({ text: "look: 42", error: undefined });
			expect(rig.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 1, ended: 1 });
		});

		it("hands over three calls of one step together, and takes the results in any order", async () => {
			const rig = await withBrain(async function* () {
				const answers = yield { calls: ["a", "b", "c"].map((at) => ({ name: "look", arguments: { at } })) };
				yield { text: answers.map(({ text }: { text: string }) => text).join() };
			});
			const tools = [tool("look")];
			const first = await rig.ask({ messages: [user("all")], tools });
			expect(first.calls.map((call) => JSON.parse(call.arguments).at)).toEqual(["a", "b", "c"]);
			const answers = first.calls.map(({ id }, index) => result(id, `r${index}`)).reverse();
			const second = await rig.ask({ messages: [user("all"), said(first), results(...answers)], tools });
			expect(second.text).toBe("r0,r1,r2");
			expect(rig.emulator.stats().runs.started).toBe(1);
		});

		it.each(["sent", "absent"])("knows when a step's calls are complete, with the count %s", async (listed) => {
			const rig = await withBrain(
				async function* () {
					yield { calls: [{ name: "look" }, { name: "look" }] };
				},
				{ switches: [`tool-requests-listed=${listed}`] },
			);
			const first = await rig.ask({ messages: [user("both")], tools: [tool("look")] });
			expect(first.calls).toHaveLength(2);
		});

		it.each(["partial-first", "started-first", "started-only"])(
			"streams arguments as they come (%s)",
			async (order) => {
				const args = { text: "ä€😀 and more", list: [1, 2, { deep: null }] };
				const rig = await withBrain(
					async function* () {
						yield { calls: [{ name: "look", arguments: args }] };
					},
					{ switches: [`tool-call-order=${order}`] },
				);
				const response = await rig.ask({ messages: [user("x")], tools: [tool("look")] });
				const deltas = response.events.flatMap((event) => (event.type === "tool-input-delta" ? [event.text] : []));
				expect(JSON.parse(deltas.join(""))).toEqual(args);
				if (order !== "started-only") expect(deltas.length).toBeGreaterThan(1);
			},
		);

		it("gives one call a response where the client wants no parallel calls", async () => {
			const rig = await withBrain(async function* () {
				const [a, b] = yield {
					calls: [
						{ name: "look", arguments: { n: 1 } },
						{ name: "look", arguments: { n: 2 } },
					],
				};
				yield { text: `${a.text}${b.text}` };
			});
			const request = { tools: [tool("look")], parallelToolCalls: false };
			const messages: TurnMessage[] = [user("both")];
			const seen: string[] = [];
			let response = await rig.ask({ messages, ...request });
			for (; response.calls.length > 0; response = await rig.ask({ messages, ...request })) {
				expect(response.calls).toHaveLength(1);
				seen.push(response.calls[0]!.arguments);
				messages.push(said(response), results(result(response.calls[0]!.id, `r${seen.length}`)));
			}
			expect(seen).toEqual(['{"n":1}', '{"n":2}']);
			expect(response.text).toBe("r1r2");
			expect(rig.emulator.stats().runs.started).toBe(1);
		});

		it("waits for a tool longer than any clock allows silence, with heartbeats for the call", async () => {
			const rig = await start({
				emulator: {
					heartbeatMs: 60_000,
					async *brain() {
						const [answer] = yield { calls: [{ name: "look" }] };
						yield { text: answer.text };
					},
				},
				limits: { silenceMs: 1000, heartbeatsOnlyMs: 1000, execHeartbeatMs: 500, heartbeatMs: 500 },
			});
			const tools = [tool("look")];
			const first = await rig.ask({ messages: [user("x")], tools });
			rig.leap(2500);
			const heard = () => rig.emulator.stats().frames;
			await until(() => heard().execHeartbeats > 0 && heard().heartbeats > 0);
			const second = await rig.ask({
				messages: [user("x"), said(first), results(result(first.calls[0]!.id, "late"))],
				tools,
			});
			expect(second.text).toBe("late");
			expect(rig.emulator.stats().runs.started).toBe(1);
		});

		it("offers only the client's tools, and gives built-ins' names back as the client knows them", async () => {
			const rig = await withBrain(async function* (turn) {
				const [answer] = yield { calls: [{ name: turn.tools[0]!.name, arguments: {} }] };
				yield { text: `${turn.builtins} ${turn.tools[0]!.name !== "Task"} ${answer.text}` };
			});
			const tools = [tool("Task")];
			const first = await rig.ask({ messages: [user("x")], tools });
			expect(first.calls).toMatchObject([{ name: "Task" }]);
			const second = await rig.ask({
				messages: [user("x"), said(first), results(result(first.calls[0]!.id, "ok"))],
				tools,
			});
			expect(second.text).toBe("mcp_tool_call true ok");
		});

		it("bridges a built-in request to a client tool, and its result back", async () => {
			const rig = await withBrain(async function* () {
				const read = yield { exec: { kind: "read", args: { path: "/tmp/a.txt" } } };
				const shell = yield { exec: { kind: "shell_stream", args: { command: "echo hi" } } };
				yield { text: `${fileText(read)}|${shellText(shell)}` };
			});
			const tools = [tool("bash", { command: { type: "string" } }), tool("read", { filePath: { type: "string" } })];
			const messages: TurnMessage[] = [user("x")];
			const answers: Record<string, string> = { read: "file text", bash: "hi\n" };
			let response = await rig.ask({ messages, tools });
			const calls: unknown[] = [];
			for (; response.calls.length > 0; response = await rig.ask({ messages, tools })) {
				const [call] = response.calls;
				calls.push([call!.name, JSON.parse(call!.arguments)]);
				messages.push(said(response), results(result(call!.id, answers[call!.name]!)));
			}
			expect(calls).toEqual([
				["read", { filePath: "/tmp/a.txt" }],
				["bash", { command: "echo hi" }],
			]);
			expect(response.text).toBe("file text|hi\n|0");
		});

		it("refuses built-in requests that no client tool can serve, and the turn goes on", async () => {
			const kinds = [
				"read",
				"write",
				"delete",
				"ls",
				"grep",
				"shell",
				"shell_stream",
				"fetch",
				"background_shell_spawn",
				"computer_use",
				"record_screen",
				"subagent",
				"pi_read",
				"pi_bash",
				"diagnostics",
				"execute_hook",
				"mcp_state",
			];
			const rig = await withBrain(async function* () {
				let answered = 0;
				for (const kind of kinds) {
					yield { exec: { kind } };
					answered += 1;
				}
				yield { text: `answered ${answered}` };
			});
			const response = await rig.ask({ messages: [user("x")] });
			expect(response.text).toBe(`answered ${kinds.length}`);
		});

		it("answers every question to the user by itself", async () => {
			const queries = [
				"web_search_request_query",
				"ask_question_interaction_query",
				"switch_mode_request_query",
				"create_plan_request_query",
				"web_fetch_request_query",
				"mcp_auth_request_query",
				"generate_image_request_query",
			];
			const rig = await withBrain(async function* () {
				const answers: string[] = [];
				for (const kind of queries) answers.push((yield { query: { kind } }).case);
				yield { text: String(answers.filter(Boolean).length) };
			});
			expect((await rig.ask({ messages: [user("x")] })).text).toBe(String(queries.length));
		});

		it("sends images of the user", async () => {
			const rig = await withBrain(async function* (turn) {
				yield { text: `${turn.prompt} ${turn.images[0]!.mediaType} ${turn.images[0]!.data.length}` };
			});
			const image = { type: "image" as const, mediaType: "image/png", data: PNG };
			const response = await rig.ask({
				messages: [{ role: "user", content: [{ type: "text", text: "see" }, image] }],
			});
			expect(response.text).toBe(`see image/png ${PNG.length}`);
		});

		it("sends images that a tool returns", async () => {
			const rig = await withBrain(async function* () {
				const [shot] = yield { calls: [{ name: "shoot" }] };
				const [image] = shot.content.filter(({ type }: { type: string }) => type === "image");
				yield { text: `${image.mediaType} ${image.data.length}` };
			});
			const tools = [tool("shoot")];
			const image = { type: "image" as const, mediaType: "image/png", data: PNG };
			const first = await rig.ask({ messages: [user("shoot")], tools });
			const shot = { ...result(first.calls[0]!.id, "here"), content: [{ type: "text" as const, text: "here" }, image] };
			const second = await rig.ask({ messages: [user("shoot"), said(first), results(shot)], tools });
			expect(second.text).toBe(`image/png ${PNG.length}`);
		});

		it("carries a system prompt and twenty turns", async () => {
			const rig = await withBrain(async function* (turn) {
				const users = turn.messages.filter(({ role }) => role === "user").length;
				yield { text: `${users} ${[...turn.system, ...turn.rules].includes("be brief")}` };
			});
			const messages: TurnMessage[] = [];
			for (let count = 1; count <= 20; count++) {
				messages.push(user(`turn ${count}`));
				const response = await rig.ask({ messages, system: ["be brief"] });
				expect(response.text).toBe(`${count} true`);
				messages.push(said(response));
			}
		});

		it("goes on from a history that ends with tool results nobody waits for", async () => {
			const rig = await withBrain(async function* (turn) {
				const parts = turn.messages.flatMap(({ content }) => content);
				const last = parts.findLast((part) => part.type === "tool-result");
				yield { text: `${turn.resumed} ${last?.type === "tool-result" ? last.result : ""}` };
			});
			const call = { type: "tool-call" as const, id: "call weird/id", name: "look", arguments: '{"a":1}' };
			const response = await rig.ask({
				messages: [user("x"), { role: "assistant", content: [call] }, results(result(call.id, "from before"))],
				tools: [tool("look")],
			});
			expect(response.text).toBe("true from before");
		});

		it("survives what a newer server may send", async () => {
			const faults = [
				"unknown-update@frame:2",
				"unknown-message@frame:3",
				"unknown-enum@frame:4",
				"new-fields@frame:5",
				"unknown-exec@frame:6",
				"unknown-query@frame:7",
			];
			const rig = await withBrain("echo", { faults });
			const response = await rig.ask({ messages: [user("a b c d e f g")] });
			expect(response.text).toBe("a b c d e f g");
			expect(rig.emulator.stats().frames.unknownAnswers).toBeGreaterThanOrEqual(2);
		});

		it("joins a code point that was split between frames", async () => {
			const rig = await withBrain("echo", { faults: ["split-code-point@frame:3"] });
			expect((await rig.ask({ messages: [user("a b c")] })).text).toContain("😀");
		});
	});

	describe(`${name}: cancel`, () => {
		const cancelled = async (rig: Rig) => {
			await until(() => rig.emulator.stats().streams.open === 0);
			expect(rig.emulator.stats().runs.cancelled).toHaveLength(1);
		};

		it.each([
			[
				"before the first event",
				async function* () {
					yield { hang: "heartbeats" as const };
				},
			],
			[
				"in the middle of text",
				async function* () {
					yield { text: "going " };
					yield { hang: "heartbeats" as const };
				},
			],
			[
				"in the middle of thinking",
				async function* () {
					yield { thinking: "hm " };
					yield { hang: "heartbeats" as const };
				},
			],
		] as [string, Brain][])("reaches the server %s", async (_phase, brain) => {
			const rig = await start({ emulator: { brain, heartbeatMs: 30 } });
			const leave = new AbortController();
			const asking = rig.ask({ messages: [user("x")] }, { signal: leave.signal });
			await until(() => rig.emulator.stats().runs.started === 1 && rig.emulator.stats().frames.sent > 4);
			leave.abort();
			await asking;
			await cancelled(rig);
		});
	});

	describe(`${name}: failures`, () => {
		const failing = async (options: EmulatorOptions, ask: Partial<Parameters<Rig["ask"]>[0]> = {}) => {
			const rig = await start({ emulator: { brain: "echo", ...options } });
			const response = await rig.ask({ messages: [user("a b c d e f")], ...ask });
			return { rig, response };
		};

		it("renews a token that was refused, once", async () => {
			const rig = await withBrain("echo");
			rig.expireToken();
			expect((await rig.ask({ messages: [user("again")] })).text).toBe("again");
		});

		it("a token that expires in the middle of a turn does no harm", async () => {
			const rig = await withBrain(async function* () {
				const [answer] = yield { calls: [{ name: "look" }] };
				yield { text: answer.text };
			});
			const tools = [tool("look")];
			const first = await rig.ask({ messages: [user("x")], tools });
			rig.expireToken();
			const second = await rig.ask({
				messages: [user("x"), said(first), results(result(first.calls[0]!.id, "fine"))],
				tools,
			});
			expect(second.text).toBe("fine");
		});

		it("tells an empty quota with what Cursor said", async () => {
			const quota = { auto: { limitCents: 1, usedCents: 1 }, api: { limitCents: 1, usedCents: 1 } };
			const { response } = await failing({ accounts: { accounts: [{ id: "user_1", acceptAnyKey: true, quota }] } });
			expect(response.error).toMatchObject({ kind: "quota-exhausted" });
			expect(response.error?.fullMessage).toContain("You've hit your usage limit");
		});

		it("tells an outdated client", async () => {
			const { response } = await failing({ switches: ["client-version=outdated"] });
			expect(response.error?.kind).toBe("client-outdated");
		});

		it("tells an unknown model", async () => {
			const { response } = await failing({}, { model: "gpt-99" });
			expect(response.error?.kind).toBe("model-not-found");
		});

		it("an empty turn is an error and never an answer", async () => {
			const { response } = await failing({
				async *brain() {},
			});
			expect(response.error?.kind).toBe("upstream-empty");
		});

		it.each([
			["cut@frame:6", "upstream-reset"],
			["reset@frame:6", "upstream-reset"],
			["no-end-stream@frame:6", "upstream-reset"],
			["truncate@frame:6", "upstream-reset"],
			["huge-length@frame:6", "upstream-protocol"],
			["reserved-flags@frame:6", "upstream-protocol"],
			["false-compressed@frame:6", "upstream-protocol"],
			["bomb@frame:6", "upstream-protocol"],
			["error=internal@frame:6", "upstream-error"],
			["bad-error=not-json@frame:6", "upstream-protocol"],
			["bad-error=null-code@frame:6", "upstream-error"],
			["bad-error=long-message@frame:6", "upstream-error"],
		])("%s in the middle of the answer is %s, and what came stays", async (fault, kind) => {
			const { response } = await failing({ brain: slowly, faults: [fault] });
			expect(response.error?.kind).toBe(kind);
			expect(response.turn.end).toBeUndefined();
			expect(response.events.some(({ type }) => type === "text-delta")).toBe(true);
			expect(response.error!.fullMessage.length).toBeLessThan(3000);
		});

		it.each([
			["a good end", ["linger@after-end"], undefined],
			["an error", ["error=internal@frame:6", "linger@after-end"], "upstream-error"],
		] as [string, string[], string | undefined][])(
			"%s that the server leaves open holds no stream",
			async (_end, faults, kind) => {
				const { response } = await failing({ brain: slowly, faults });
				expect(response.error?.kind).toBe(kind);
				if (!kind) expect(response.text.trim()).toBe("a b c d e f");
			},
		);

		it.each(["stall@frame:6", "heartbeats-only@frame:6"])("%s ends in an error when the time is up", async (fault) => {
			const rig = await start({
				emulator: { brain: "echo", faults: [fault], heartbeatMs: 100 },
				limits: { silenceMs: 1500, heartbeatsOnlyMs: 1500 },
			});
			const response = await rig.ask({ messages: [user("a b c d e f")] });
			expect(response.error?.kind).toBe("upstream-stalled");
		});

		it.each([
			"status=503@headers*1",
			"error=unavailable@frame:1*1",
			"reset@headers*1",
			"cut@headers*1",
			"hollow@headers*1",
		])("%s before any output is tried again", async (fault) => {
			const { response } = await failing({ faults: [fault] });
			expect(response).toMatchObject({ text: "a b c d e f", error: undefined });
		});

		it("goes on from a checkpoint after a drop, without repeating a word", async () => {
			const { rig, response } = await failing({
				async *brain(turn) {
					if (turn.resumed) yield { text: "world" };
					else {
						yield { text: "hello " };
						yield { checkpoint: true };
						yield { drop: true };
					}
				},
			});
			expect(response).toMatchObject({ text: "hello world", error: undefined });
			expect(rig.emulator.stats().runs).toMatchObject({ started: 2, resumed: 1 });
		});

		it("does not repeat what was said after the last checkpoint: that is an error", async () => {
			const { rig, response } = await failing({
				async *brain() {
					yield { text: "hello " };
					yield { checkpoint: true };
					yield { text: "wor" };
					yield { drop: true };
				},
			});
			expect(response.error?.kind).toBe("upstream-reset");
			expect(rig.emulator.stats().runs.started).toBe(1);
		});
	});

	describe(`${name}: rows that are left out`, () => {
		it("are rows", async () => {
			expect(it.strangers()).toEqual([]);
		});
	});
}
