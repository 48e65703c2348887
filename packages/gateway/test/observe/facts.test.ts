// What is told of turns and runs: figures, reasons, and never a text.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { type Fact, FactStream } from "../../src/observe/facts.ts";
import { until } from "../kit/cleanup.ts";
import { ask, type Message, result, steps, system, tool, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGatewayOptions } from "../kit/gateway.ts";

type Told<T extends Fact["type"]> = Extract<Fact, { type: T }>;

async function start(options: TestGatewayOptions = {}) {
	const facts = new FactStream();
	const told: Fact[] = [];
	facts.listen((fact) => told.push(fact));
	const gateway = await startTestGateway({ ...options, facts });
	const of = <T extends Fact["type"]>(type: T) => told.filter((fact): fact is Told<T> => fact.type === type);
	return { gateway, facts, told, of };
}

const STEP = [tool("step")];

const thinksAndCalls: Brain = async function* () {
	yield { thinking: "hmm" };
	yield { text: "Let me look." };
	yield { calls: ["left", "right"].map((name) => ({ name, arguments: {} })) };
	yield { text: "done" };
};

describe("the end of a turn", () => {
	it("tells who, why, when, and what the prompt consisted of", async () => {
		const { gateway, of } = await start({ emulator: { brain: thinksAndCalls } });
		const messages: Message[] = [system("Be brief. ".repeat(40)), user("Which one is it?")];
		const tools = [tool("left"), tool("right")];
		const first = await ask(gateway, messages, { tools, stream: true, more: { frequency_penalty: 1 } });
		messages.push(first.message, ...first.calls.map((call) => result(call, "a result ".repeat(100))));
		const second = await ask(gateway, messages, { tools });
		const [one, two] = of("turn-ended");
		expect(one).toMatchObject({
			dialect: "chat",
			path: "new",
			reason: "no history",
			conversation: first.session,
			model: "composer-1",
			answered: "composer-1",
			requestId: first.headers.get("x-request-id"),
			tools: "left,right",
			status: 200,
		});
		expect(one!.warnings).toBe(first.warnings);
		expect(one!.warnings).toContain("frequency_penalty");
		expect(two).toMatchObject({ path: "parked", reason: "results of open calls", conversation: second.session });
		expect(two!.runId).toBe(one!.runId);
		expect(two!.tools).toBeUndefined();
		expect(two!.waitedMs).toBeGreaterThanOrEqual(0);
		expect(one!.waitedMs).toBeUndefined();
		// The steps come in this order, each with its time.
		const { sentMs, firstTokenMs, firstThinkingMs, firstTextMs, firstCallMs, latencyMs } = one!;
		const times = [0, sentMs!, firstTokenMs!, firstThinkingMs!, firstTextMs!, firstCallMs!, latencyMs];
		expect(times).toEqual([...times].sort((a, b) => a - b));
		expect(one!.gatewayUs).toBe(one!.admitUs! + one!.decodeUs! + one!.sendUs! + one!.firstChunkUs!);
		for (const { inputTokens, ...parts } of [one!, two!]) {
			const { systemTokens, toolTokens, historyTokens, resultTokens, messageTokens, imageTokens } = parts;
			const all = [systemTokens, toolTokens, historyTokens, resultTokens, messageTokens, imageTokens] as number[];
			expect(Math.abs(all.reduce((sum, part) => sum + part) - inputTokens)).toBeLessThanOrEqual(3);
		}
		expect(one).toMatchObject({ historyTokens: 0, resultTokens: 0, imageTokens: 0 });
		expect(one!.systemTokens!).toBeGreaterThan(one!.messageTokens!);
		expect(one!.toolTokens!).toBeGreaterThan(0);
		expect(two!.resultTokens!).toBeGreaterThan(two!.systemTokens!);
		expect(two!.historyTokens!).toBeGreaterThan(0);
	});

	it("names the pool once the account's usage was read, and asks for nothing itself", async () => {
		const { gateway, of } = await start({ emulator: { brain: "echo" } });
		await ask(gateway, [user("one")], { model: "auto" });
		await ask(gateway, [user("one")], { model: "composer-1" });
		expect(of("turn-ended").map(({ pool }) => pool)).toEqual(["auto", undefined]);
	});

	it.each<[string, TestGatewayOptions, string]>([
		["a run that expired", { parked: { deadlineMs: 30 } }, "the run has expired"],
		["a run that made room", { parked: { perCaller: 0 } }, "the run was ended to make room"],
	])("says what became of %s", async (_, options, reason) => {
		const { gateway, of } = await start({ ...options, emulator: { brain: steps(1) } });
		const first = await ask(gateway, [user("go")], { tools: STEP });
		await until(() => of("run-unparked").length === 1);
		await ask(gateway, [user("go"), first.message, result(first.calls[0]!, "r1")], { tools: STEP });
		expect(of("turn-ended").at(-1)).toMatchObject({ path: "rebuild", reason });
	});

	it("says why a request took no higher rung", async () => {
		const { gateway, of } = await start({ emulator: { brain: steps(1) } });
		const { message, calls } = await ask(gateway, [user("go")], { tools: STEP });
		const call = calls[0]!;
		const answered = [user("go"), message, result(call, "r1")];
		const last = await ask(gateway, answered, { tools: STEP });
		await ask(gateway, answered, { tools: STEP });
		await ask(gateway, [user("go"), message, result(call, "other")], { tools: STEP });
		await ask(gateway, [...answered, last.message, user("more")], { tools: STEP });
		await ask(gateway, [user("go"), { role: "assistant", content: "never said" }, user("more")]);
		await ask(gateway, [user("go"), { role: "assistant", content: "never said" }]);
		const unknown = { ...message, tool_calls: [{ ...call, id: "call_unknown" }] };
		await ask(gateway, [user("go"), unknown, result("call_unknown", "r1")], { tools: STEP });
		const { message: other, calls: open } = await ask(gateway, [user("go")], { tools: STEP });
		const toOther = [user("go"), other, result(open[0]!, "r1")];
		await ask(gateway, toOther, { tools: STEP, model: "gpt-5" });
		expect(of("turn-ended").map(({ path, reason }) => [path, reason])).toEqual([
			["new", "no history"],
			["parked", "results of open calls"],
			["parked", "repeats an earlier request"],
			["rebuild", "the results differ from earlier ones"],
			["checkpoint", "stored conversation found"],
			["rebuild", "no stored conversation"],
			["rebuild", "the last message follows no reply"],
			["rebuild", "no run waits for these results"],
			["new", "no history"],
			["rebuild", "the model changed"],
		]);
		expect(of("replayed").map(({ how }) => how)).toEqual(["replayed"]);
	});
});

describe("the life of a run", () => {
	it("is told from parking to its end", async () => {
		const { gateway, told, of } = await start({ emulator: { brain: steps(1) } });
		const first = await ask(gateway, [user("go")], { tools: STEP });
		await ask(gateway, [user("go"), first.message, result(first.calls[0]!, "r1")], { tools: STEP });
		const [{ runId }] = of("turn-ended") as [Told<"turn-ended">];
		expect(told.map(({ type }) => type)).toEqual([
			"run-parked",
			"turn-ended",
			"run-unparked",
			"run-ended",
			"turn-ended",
		]);
		expect(of("run-parked")).toEqual([
			expect.objectContaining({ runId, conversation: first.session, model: "composer-1", tools: ["step"] }),
		]);
		expect(of("run-unparked")).toEqual([expect.objectContaining({ runId, how: "answered", calls: 1 })]);
		expect(of("run-ended")).toEqual([
			expect.objectContaining({ runId, protocol: "agent", channel: "h2", how: "turn_ended" }),
		]);
	});

	it.each([
		["reset@headers*1", "reset", "turn_ended"],
		["status=503@headers*1", "server", "turn_ended"],
		["status=401@headers*1", "auth", "turn_ended"],
	])("tells why it needed another stream (%s)", async (fault, reason, how) => {
		const { gateway, of } = await start({ emulator: { brain: "echo", faults: [fault] } });
		expect(await ask(gateway, [user("hello")])).toMatchObject({ status: 200 });
		expect(of("run-retried").map((fact) => fact.reason)).toEqual([reason]);
		expect(of("run-ended").map((fact) => fact.how)).toEqual([how]);
	});

	it("is told where Cursor refuses it", async () => {
		const { gateway, of } = await start({ emulator: { brain: "echo", faults: ["error=resource_exhausted@end"] } });
		await ask(gateway, [user("hello")]);
		expect(of("run-ended").map((fact) => fact.how)).toEqual(["refused"]);
		expect(of("turn-ended")).toEqual([expect.objectContaining({ path: "new", reason: "no history" })]);
	});
});

it("no fact holds a text of a prompt or a reply, nor a key", async () => {
	const { gateway, told } = await start({ emulator: { brain: thinksAndCalls } });
	const messages: Message[] = [system("s3cret system"), user("s3cret prompt")];
	const tools = [tool("left"), tool("right")];
	const first = await ask(gateway, messages, { tools });
	messages.push(first.message, ...first.calls.map((call) => result(call, "s3cret result")));
	await ask(gateway, messages, { tools });
	const all = JSON.stringify(told);
	expect(told.length).toBeGreaterThan(4);
	for (const secret of ["s3cret", "Let me look", "hmm", gateway.key]) expect(all).not.toContain(secret);
});

describe("the steps of a turn", () => {
	it("are told to whoever watches, and to nobody else", async () => {
		const live: Fact[] = [];
		const stepped = (step: string) => until(() => live.some((fact) => "step" in fact && fact.step === step));
		// Goes on when the step was seen, so that no two of them come at once.
		const slowly: Brain = async function* ({ prompt }) {
			const isFirst = prompt === "go";
			yield { thinking: "hmm" };
			if (isFirst) await stepped("thinking");
			yield { text: "Let me look." };
			if (isFirst) await stepped("streaming");
			yield { calls: [{ name: "left", arguments: {} }] };
		};
		const { gateway, facts, told } = await start({ emulator: { brain: slowly } });
		const stop = facts.watch((fact) => live.push(fact));
		const { session } = await ask(gateway, [user("go")], { tools: [tool("left")] });
		stop();
		await ask(gateway, [user("again")], { tools: [tool("left")] });
		const [first] = told.filter((fact) => fact.type === "turn-ended");
		const { requestId, runId } = first!;
		expect(live[0]).toMatchObject({ type: "turn-admitted", requestId, dialect: "chat", model: "composer-1" });
		expect(live[1]).toMatchObject({
			...{ type: "turn-routed", requestId, runId, path: "new", reason: "no history" },
			...{ conversation: session, answered: "composer-1" },
		});
		const steps = live.filter((fact) => fact.type === "turn-step").map(({ step }) => step);
		expect(steps.slice(0, 2)).toEqual(["thinking", "streaming"]);
		expect(live.at(-1)).toBe(first);
		expect(told.filter(({ type }) => type.startsWith("turn-")).map(({ type }) => type)).toEqual(
			Array(2).fill("turn-ended"),
		);
	});
});
