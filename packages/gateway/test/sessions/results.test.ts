// Results of tools: each counts once, whatever a client does with them.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import {
	type Answer,
	type AskOptions,
	ask,
	type Message,
	result,
	steps,
	system,
	tool,
	transcript,
	user,
} from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";

const STEP = [tool("step")];

/** Two calls in one step; tells both results, and what the model would see of errors. */
const pair: Brain = async function* (turn) {
	if (turn.resumed || turn.messages.length > 1) return yield* transcript(turn);
	const answers: { text: string; isError: boolean }[] = yield {
		calls: [1, 2].map((n) => ({ name: "step", arguments: { n } })),
	};
	yield { text: answers.map(({ text, isError }) => (isError ? `error(${text})` : text)).join(" ") };
};

async function begin(
	brain: Brain,
	options: AskOptions = {},
): Promise<{ gateway: TestGateway; first: Answer; past: Message[] }> {
	const gateway = await startTestGateway({ emulator: { brain } });
	const first = await ask(gateway, [user("go")], { tools: STEP, ...options });
	return { gateway, first, past: [user("go"), first.message] };
}

describe("S2: results", () => {
	it("may come in any order", async () => {
		const { gateway, first, past } = await begin(pair);
		const [a, b] = first.calls;
		const second = await ask(gateway, [...past, result(b!, "rb"), result(a!, "ra")], { tools: STEP });
		expect(second).toMatchObject({ path: "parked", text: "ra rb", warnings: "" });
	});

	it("that answer no call are left aside, with a warning", async () => {
		const { gateway, first, past } = await begin(pair);
		const [a, b] = first.calls;
		const results = [result("call_unknown", "?"), result(a!, "ra"), result("call_other", "?"), result(b!, "rb")];
		const second = await ask(gateway, [...past, ...results], { tools: STEP });
		expect(second).toMatchObject({ path: "parked", text: "ra rb" });
		expect(second.warnings).toMatch(/results without a matching call.*2/);
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 2 });
	});

	it("that are missing are told to the model as errors, with a warning", async () => {
		const { gateway, first, past } = await begin(pair);
		const second = await ask(gateway, [...past, result(first.calls[1]!, "rb")], { tools: STEP });
		expect(second.status).toBe(200);
		expect(second.text).toContain("rb");
		expect(second.text).toContain("No result was given");
		expect(second.warnings).toMatch(/without a result/);
	});

	it("that are all missing are told as errors, and the new message is what counts", async () => {
		const { gateway, past } = await begin(pair);
		const second = await ask(gateway, [...past, user("never mind")], { tools: STEP });
		expect(second.status).toBe(200);
		expect(second.text).toContain("never mind");
		expect(second.text.match(/No result was given/g)).toHaveLength(2);
	});

	it("may bring what the user said meanwhile", async () => {
		const { gateway, first, past } = await begin(steps(1));
		const messages = [...past, result(first.calls[0]!, "r1"), user("and hurry")];
		const second = await ask(gateway, messages, { tools: STEP });
		expect(second.path).toBe("parked");
		expect(second.text).toContain("r1");
		expect(second.text).toContain("and hurry");
		// What was said is part of the conversation from then on.
		const third = await ask(gateway, [...messages, second.message, user("thanks")], { tools: STEP });
		expect(third.path).toBe("checkpoint");
	});

	it("of calls that the client made up are left aside, and not what the user said behind them", async () => {
		const { gateway, first, past } = await begin(steps(1));
		const own = { id: "made_up", type: "function" as const, function: { name: "step", arguments: "{}" } };
		const asked = { ...first.message, tool_calls: [...first.calls, own] };
		const messages = [past[0]!, asked, result(first.calls[0]!, "r1"), result(own, "mine"), user("and hurry")];
		const second = await ask(gateway, messages, { tools: STEP });
		expect(second).toMatchObject({ path: "parked", warnings: expect.stringContaining("ignored") });
		expect(second.text).toContain("r1");
		expect(second.text).toContain("and hurry");
		expect(second.text).not.toContain("mine");
	});

	it("with images reach the model", async () => {
		const { gateway, first, past } = await begin(async function* () {
			const [{ content }] = yield { calls: [{ name: "step" }] };
			yield {
				text: content
					.map((part: { type: string; data?: Uint8Array }) => `${part.type}${part.data?.length ?? ""}`)
					.join(),
			};
		});
		const png = Buffer.from(
			"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
			"base64",
		);
		const content = [
			{ type: "text", text: "look" },
			{ type: "image_url", image_url: { url: `data:image/png;base64,${png.toString("base64")}` } },
		] as unknown as string;
		const second = await ask(gateway, [...past, result(first.calls[0]!, content)], { tools: STEP });
		expect(second).toMatchObject({ path: "parked", text: `text,image${png.length}` });
	});

	it("for another model or with other tools are another conversation, told in full", async () => {
		const { gateway, first, past } = await begin(steps(2));
		const messages = [...past, result(first.calls[0]!, "r1")];
		const other = await ask(gateway, messages, { tools: [...STEP, tool("more")] });
		expect(other.path).toBe("rebuild");
		expect(other.session).not.toBe(first.session);
		const next = await ask(gateway, [...messages, other.message, result(other.calls[0]!, "r2")], {
			tools: [...STEP, tool("more")],
		});
		expect(next).toMatchObject({ path: "parked", text: "r1 r2" });
	});

	it("may come with the tools in another order", async () => {
		const tools = [tool("step"), tool("more")];
		const { gateway, first, past } = await begin(steps(1), { tools });
		const second = await ask(gateway, [...past, result(first.calls[0]!, "r1")], { tools: [...tools].reverse() });
		expect(second).toMatchObject({ path: "parked", text: "r1" });
	});
});

describe("S2, S5: results that were sent before", () => {
	/** Waits at a gate before it says the last word. */
	function gated() {
		let open = () => {};
		const gate = new Promise<void>((resolve) => {
			open = resolve;
		});
		const brain: Brain = async function* (turn) {
			if (turn.messages.length > 1) return yield* transcript(turn);
			const [answer] = yield { calls: [{ name: "step" }] };
			yield { text: `got ${answer.text} ` };
			await gate;
			yield { text: "done" };
		};
		return { brain, open };
	}

	it.each([false, true])("while the answer is under way: all get that answer (stream: %s)", async (stream) => {
		const { brain, open } = gated();
		const { gateway, first, past } = await begin(brain);
		const messages = [...past, result(first.calls[0]!, "r1")];
		let heard = () => {};
		const begun = new Promise<void>((resolve) => {
			heard = resolve;
		});
		const original = ask(gateway, messages, { tools: STEP, stream: true, onText: heard });
		await begun;
		const retries = [1, 2, 3].map(() => ask(gateway, messages, { tools: STEP, stream }));
		open();
		for (const answer of [await original, ...(await Promise.all(retries))]) {
			expect(answer).toMatchObject({ status: 200, path: "parked", text: "got r1 done", finish: "stop" });
		}
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 1, ended: 1 });
	});

	it.each([false, true])("and answered: the same answer again (stream: %s)", async (stream) => {
		const { gateway, first, past } = await begin(steps(2));
		const messages = [...past, result(first.calls[0]!, "r1")];
		const once = await ask(gateway, messages, { tools: STEP });
		const again = await ask(gateway, messages, { tools: STEP, stream });
		expect(again).toMatchObject({ status: 200, path: "parked", finish: "tool_calls" });
		// The ids too: the answer can be gone on with from either copy.
		expect(again.calls).toEqual(once.calls);
		const last = await ask(gateway, [...messages, again.message, result(again.calls[0]!, "r2")], { tools: STEP });
		expect(last).toMatchObject({ path: "parked", text: "r1 r2" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 2 });
	});

	it("with other content: a fork, told in full, and the first conversation is as it was", async () => {
		const { gateway, first, past } = await begin(steps(2));
		const messages = [...past, result(first.calls[0]!, "r1")];
		const second = await ask(gateway, messages, { tools: STEP });
		const edited = [...past, result(first.calls[0]!, "something else")];
		const fork = await ask(gateway, edited, { tools: STEP });
		expect(fork).toMatchObject({ status: 200, path: "rebuild", finish: "tool_calls" });
		expect(fork.session).not.toBe(first.session);
		const forkEnd = await ask(gateway, [...edited, fork.message, result(fork.calls[0]!, "r2'")], { tools: STEP });
		expect(forkEnd).toMatchObject({ path: "parked", text: "something else r2'" });
		// The results that came first are still known, and what they led to goes on.
		expect((await ask(gateway, messages, { tools: STEP })).calls).toEqual(second.calls);
		const last = await ask(gateway, [...messages, second.message, result(second.calls[0]!, "r2")], { tools: STEP });
		expect(last).toMatchObject({ path: "parked", text: "r1 r2" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 2, resumedByToolResult: 3 });
	});

	it("with other content while the answer is under way: a fork beside it", async () => {
		const { brain, open } = gated();
		const { gateway, first, past } = await begin(brain);
		let original: Promise<Answer> | undefined;
		await new Promise<void>((heard) => {
			const messages = [...past, result(first.calls[0]!, "r1")];
			original = ask(gateway, messages, { tools: STEP, stream: true, onText: () => heard() });
		});
		const fork = await ask(gateway, [...past, result(first.calls[0]!, "other")], { tools: STEP });
		expect(fork).toMatchObject({
			status: 200,
			path: "rebuild",
			text: "user:go | assistant:<tool-call> | tool:other",
		});
		open();
		expect(await original).toMatchObject({ status: 200, path: "parked", text: "got r1 done" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 2, resumedByToolResult: 1 });
		expect(gateway.emulator.stats().runs.cancelled).toHaveLength(0);
	});

	it("with another message of the user: a new answer, not the old one", async () => {
		const { gateway, first, past } = await begin(async function* (turn) {
			if (turn.messages.length > 1) return yield* transcript(turn);
			const [answer] = yield { calls: [{ name: "step" }] };
			yield { text: `old answer to ${answer.text}` };
		});
		const messages = [...past, result(first.calls[0]!, "r1")];
		await ask(gateway, messages, { tools: STEP });
		const other = await ask(gateway, [...messages, user("something new")], { tools: STEP });
		expect(other).toMatchObject({
			path: "rebuild",
			text: "user:go | assistant:<tool-call> | tool:r1 | user:something new",
		});
	});

	it.each<[string, { tools?: object[]; model?: string }, Message[]]>([
		["other tools", { tools: [tool("step"), tool("more")] }, []],
		["no tools", {}, []],
		["another model", { tools: STEP, model: "auto" }, []],
		["another system prompt", { tools: STEP }, [system("Sum it up.")]],
	])("by another agent, with %s: an answer of its own", async (_, options, prompt) => {
		const { gateway, first, past } = await begin(async function* (turn) {
			if (turn.messages.length > 1) return yield* transcript(turn);
			yield { calls: [{ name: "step" }] };
			yield { text: "the answer of the conversation itself" };
		});
		const messages = [...past, result(first.calls[0]!, "r1")];
		await ask(gateway, messages, { tools: STEP });
		const other = await ask(gateway, [...prompt, ...messages], options);
		expect(other).toMatchObject({ path: "rebuild", text: "user:go | assistant:<tool-call> | tool:r1" });
	});

	it("at the very same moment: one answer for both", async () => {
		const { gateway, first, past } = await begin(steps(1));
		const messages = [...past, result(first.calls[0]!, "r1")];
		const both = await Promise.all([false, true].map((stream) => ask(gateway, messages, { tools: STEP, stream })));
		for (const answer of both) expect(answer).toMatchObject({ path: "parked", session: first.session, text: "r1" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 1, resumedByToolResult: 1 });
	});

	it("by a client that left: answered anew", async () => {
		const { brain, open } = gated();
		const { gateway, first, past } = await begin(brain);
		const messages = [...past, result(first.calls[0]!, "r1")];
		const leave = new AbortController();
		const left = ask(gateway, messages, {
			tools: STEP,
			stream: true,
			signal: leave.signal,
			onText: () => leave.abort(),
		});
		await expect(left).rejects.toThrow();
		while (gateway.emulator.stats().runs.cancelled.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
		open();
		const again = await ask(gateway, messages, { tools: STEP });
		expect(again).toMatchObject({ status: 200, path: "rebuild", text: "user:go | assistant:<tool-call> | tool:r1" });
	});

	it("and whose answer was cut off by a limit: answered anew", async () => {
		const { gateway, first, past } = await begin(async function* (turn) {
			if (turn.messages.length > 1) return yield* transcript(turn);
			yield { calls: [{ name: "step" }] };
			for (const word of ["a ", "b ", "STOP ", "c ", "d"]) {
				yield { text: word };
				yield { delay: 5 };
			}
		});
		const messages = [...past, result(first.calls[0]!, "r1")];
		const once = await ask(gateway, messages, { tools: STEP, more: { stop: "STOP" } });
		expect(once.text).toBe("a b ");
		const again = await ask(gateway, messages, { tools: STEP });
		expect(again).toMatchObject({ status: 200, path: "rebuild", text: "user:go | assistant:<tool-call> | tool:r1" });
	});

	it("and whose answer failed: answered anew", async () => {
		const { gateway, first, past } = await begin(async function* (turn) {
			if (turn.messages.length > 1) return yield* transcript(turn);
			yield { calls: [{ name: "step" }] };
			yield { text: "half an" };
			yield { error: { code: "internal", message: "gone" } };
		});
		const messages = [...past, result(first.calls[0]!, "r1")];
		const failed = await ask(gateway, messages, { tools: STEP });
		expect(failed.status).toBe(502);
		// The tool may have run again meanwhile: nothing is left that another result could contradict.
		const other = await ask(gateway, [...past, result(first.calls[0]!, "r1, again")], { tools: STEP });
		expect(other).toMatchObject({ status: 200, path: "rebuild" });
		const again = await ask(gateway, messages, { tools: STEP });
		expect(again).toMatchObject({ status: 200, path: "rebuild", text: "user:go | assistant:<tool-call> | tool:r1" });
	});

	it("by two clients of which the last one leaves: nothing runs on", async () => {
		const { brain } = gated();
		const { gateway, first, past } = await begin(brain);
		const messages = [...past, result(first.calls[0]!, "r1")];
		const leave = [new AbortController(), new AbortController()];
		const both: Promise<unknown>[] = [];
		for (const { signal } of leave) {
			await new Promise<void>((heard) => {
				both.push(ask(gateway, messages, { tools: STEP, stream: true, signal, onText: () => heard() }).catch(() => {}));
			});
		}
		leave[0]!.abort();
		await both[0];
		// A later turn on the same connection has ended after a cancellation would have arrived.
		await ask(gateway, [user("something else")], { tools: STEP });
		expect(gateway.emulator.stats().runs.cancelled).toHaveLength(0);
		leave[1]!.abort();
		while (gateway.emulator.stats().runs.cancelled.length === 0) await new Promise((resolve) => setTimeout(resolve, 2));
	});
});
