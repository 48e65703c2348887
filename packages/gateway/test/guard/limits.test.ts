// What limits let through, at a real gateway before the emulator.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { ask, type Message, result, steps, tool, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway, type TestGatewayOptions } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { addLimit, limitedKey, withBook } from "./books.ts";

const STEP = [tool("step")];
const short: Brain = async function* () {
	yield { text: "done" };
};

async function start(limits: readonly string[], options: TestGatewayOptions = {}) {
	const dataDir = temporaryFolder();
	const made = [];
	for (const limit of limits) made.push(await addLimit({ dataDir }, limit));
	const logged: Record<string, unknown>[] = [];
	const gateway = await startTestGateway({
		emulator: { brain: short },
		onLog: (entry) => logged.push(entry),
		...options,
		settings: { dataDir, ...options.settings },
	});
	return { gateway, dataDir, logged, limits: made, started: () => gateway.emulator.stats().runs.started };
}

/** A change by another process is noticed within a second. */
const noticed = async (gateway: TestGateway, isSo: (limits: { amount: number; paused: boolean }[]) => boolean) =>
	until(async () => isSo(((await (await gateway.fetch("/v1/usage")).json()) as { limits: never[] }).limits));

describe("a limit of turns", () => {
	it("lets so many through, then says what is used, when it begins anew, and how it is raised", async () => {
		const { gateway, limits, started } = await start(["2 turns/day"]);
		for (const _ of [1, 2]) expect((await ask(gateway, [user("go")])).status).toBe(200);
		const refused = await ask(gateway, [user("go")]);
		expect(refused.status).toBe(402);
		expect(refused.headers.get("x-should-retry")).toBe("false");
		expect(refused.error).toMatchObject({ type: "insufficient_quota", code: "insufficient_quota" });
		expect(refused.error?.message).toMatch(
			/^The limit of 2 turns\/day is reached: 2 of 2 turns used; it begins anew at \d{4}-\d\d-\d\d 00:00\. Raise it with `[^`]*limits raise [0-9a-f]{8} 4`, or wait until then\.$/,
		);
		expect(refused.error?.message).toContain(limits[0]!.id);
		expect(started()).toBe(2);
		const messages = await gateway.post("/v1/messages", {
			...{ model: "composer-1", max_tokens: 10, messages: [{ role: "user", content: "go" }] },
		});
		expect([messages.status, messages.headers.get("x-should-retry")]).toEqual([402, "false"]);
		expect(await messages.json()).toMatchObject({ type: "error", error: { type: "billing_error" } });
	});

	it("by the minute is a rate, which the client waits out", async () => {
		const { gateway } = await start(["1 turn/minute"]);
		await ask(gateway, [user("go")]);
		const refused = await ask(gateway, [user("go")]);
		// The minute may have ended in between; then the second was let through, and the third is refused.
		const { status, headers } = refused.status === 200 ? await ask(gateway, [user("go")]) : refused;
		expect([status, headers.get("x-should-retry")]).toEqual([429, "true"]);
		expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
		expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
	});

	it("counts nothing of a turn that fails before its first byte", async () => {
		let fails = true;
		const brain: Brain = async function* () {
			if (fails) yield { error: { code: "permission_denied" } } as never;
			yield { text: "done" };
		};
		const { gateway } = await start(["1 turn"], { emulator: { brain } });
		for (const _ of [1, 2, 3]) expect((await ask(gateway, [user("go")])).status).toBe(403);
		fails = false;
		expect((await ask(gateway, [user("go")])).status).toBe(200);
		expect((await ask(gateway, [user("go")])).status).toBe(402);
	});

	it("is about one key, one model, or each conversation by itself", async () => {
		const { gateway, dataDir } = await start(["1 turn on gpt-*", "2 turns per conversation"]);
		const { key } = await limitedKey({ dataDir }, "1 turn");
		const status = async (model: string, as = gateway.key) =>
			(await ask(gateway, [user("go")], { model, key: as })).status;
		expect([await status("composer-1", key), await status("composer-1", key)]).toEqual([200, 402]);
		expect([await status("gpt-5"), await status("gpt-5"), await status("composer-1")]).toEqual([200, 402, 200]);
		const first = await ask(gateway, [user("once")]);
		const history = [user("once"), first.message, user("again")];
		expect((await ask(gateway, history)).status).toBe(200);
		const third = await ask(gateway, [...history, first.message, user("and again")]);
		expect(third.error?.message).toContain("2 turns per conversation");
	});

	it("is noticed, raised, paused and removed while the gateway runs, and the log says so", async () => {
		const { gateway, dataDir, logged } = await start([]);
		expect((await ask(gateway, [user("go")])).status).toBe(200);
		const { id } = await addLimit({ dataDir }, "1 turn/day");
		await noticed(gateway, (limits) => limits.length === 1);
		expect((await ask(gateway, [user("go")])).status).toBe(200);
		expect((await ask(gateway, [user("go")])).status).toBe(402);
		await withBook({ dataDir }, (book) => book.change(id, { amount: 2 }));
		await noticed(gateway, ([limit]) => limit?.amount === 2);
		expect((await ask(gateway, [user("go")])).status).toBe(200);
		expect((await ask(gateway, [user("go")])).status).toBe(402);
		await withBook({ dataDir }, (book) => book.change(id, { isPaused: true }));
		await noticed(gateway, ([limit]) => limit?.paused === true);
		expect((await ask(gateway, [user("go")])).status).toBe(200);
		await withBook({ dataDir }, (book) => book.remove(id));
		await noticed(gateway, (limits) => limits.length === 0);
		const changes = logged.map(({ msg }) => String(msg)).filter((line) => /^limit [a-z]+: /.test(line));
		expect(changes).toEqual([
			"limit added: 1 turn/day",
			"limit changed: 2 turns/day",
			"limit paused: 2 turns/day",
			"limit removed: 2 turns/day",
		]);
	});
});

describe("a warning", () => {
	it("comes at 50, 80 and 95 percent, once each, in a header and in the log", async () => {
		const { gateway, logged } = await start(["20 turns/day"]);
		const warned: [number, string][] = [];
		for (let turn = 1; turn <= 20; turn++) {
			const { warnings, text } = await ask(gateway, [user("go")]);
			expect(text).toBe("done");
			if (warnings !== "") warned.push([turn, warnings]);
		}
		expect(warned.map(([turn]) => turn)).toEqual([10, 16, 19]);
		expect(warned[1]![1]).toMatch(/^limit \w+ \(20 turns\/day\) is at 80%: 16 of 20 turns used, it begins anew at /);
		expect(logged.filter(({ msg }) => String(msg).includes("is at 80%"))).toHaveLength(1);
	});

	it("comes again where a raised limit is nearly used up too", async () => {
		const { gateway, dataDir, limits } = await start(["2 turns/day"]);
		const warnings = [(await ask(gateway, [user("go")])).warnings, (await ask(gateway, [user("go")])).warnings];
		await withBook({ dataDir }, (book) => book.change(limits[0]!.id, { amount: 3 }));
		await noticed(gateway, ([limit]) => limit?.amount === 3);
		warnings.push((await ask(gateway, [user("go")])).warnings);
		expect(warnings.map((text) => / is at (\d+)%: (\d) of (\d) /.exec(text)?.slice(1))).toEqual([
			["50", "1", "2"],
			["95", "2", "2"],
			["95", "3", "3"],
		]);
	});

	it("is all that a limit on watch does", async () => {
		const { gateway } = await start(["1 turn/day watch"]);
		const answers = [await ask(gateway, [user("go")]), await ask(gateway, [user("go")])];
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		expect(answers[0]!.warnings).toContain("is at 100%");
		expect(answers[0]!.warnings).toContain("it stops nothing");
	});

	it("tells of a tool that is called again and again, and refuses it only if that was asked for", async () => {
		const same: Brain = async function* () {
			for (;;) yield { calls: [{ name: "step", arguments: { n: 1 } }] };
		};
		const { gateway, logged } = await start([], {
			emulator: { brain: same },
			settings: { loopWarning: 3, loopStop: 5 },
		});
		const messages: Message[] = [user("go")];
		const seen: string[] = [];
		for (let turn = 0; turn < 6; turn++) {
			const answer = await ask(gateway, messages, { tools: STEP });
			seen.push(answer.error ? answer.error.message : answer.warnings);
			if (answer.calls.length > 0) messages.push(answer.message, result(answer.calls[0]!, "again"));
		}
		expect(seen.slice(0, 3)).toEqual(["", "", ""]);
		expect(seen[3]).toContain("the tool step was called 3 times with the same arguments");
		expect(seen[4]).toContain("4 times");
		expect(seen[5]).toContain(
			"5 times with the same arguments in this conversation. Change the task, or raise the setting loopStop.",
		);
		expect(logged.filter(({ tool: name }) => name === "step")).toHaveLength(1);
	});
});

describe("behind a parked run", () => {
	it("results are refused, the run ends at Cursor, and a raised limit lets it go on by rebuild", async () => {
		const { gateway, dataDir, limits, started } = await start(["2 turns/day"], { emulator: { brain: steps(3) } });
		const { runs } = { runs: () => gateway.emulator.stats().runs };
		const messages: Message[] = [user("go")];
		for (const _ of [1, 2]) {
			const { message, calls } = await ask(gateway, messages, { tools: STEP });
			messages.push(message, result(calls[0]!, `r${calls.length}`));
		}
		expect([started(), gateway.gateway.parkedRuns()]).toEqual([1, 1]);
		const refused = await ask(gateway, messages, { tools: STEP });
		expect([refused.status, refused.headers.get("x-should-retry")]).toEqual([402, "false"]);
		await until(() => runs().cancelled.length === 1);
		expect([gateway.gateway.parkedRuns(), gateway.emulator.stats().streams.open]).toEqual([0, 0]);
		expect((await ask(gateway, messages, { tools: STEP })).status).toBe(402);
		await withBook({ dataDir }, (book) => book.change(limits[0]!.id, { amount: 9 }));
		await noticed(gateway, ([limit]) => limit?.amount === 9);
		const next = await ask(gateway, messages, { tools: STEP });
		expect([next.status, next.path, next.calls.length]).toEqual([200, "rebuild", 1]);
		messages.push(next.message, result(next.calls[0]!, "r3"));
		expect(await ask(gateway, messages, { tools: STEP })).toMatchObject({
			status: 200,
			path: "parked",
			text: "r1 r1 r3",
		});
		expect(started()).toBe(2);
	});

	it("an identical retry joins or replays the reply and takes nothing", async () => {
		const { gateway } = await start(["2 turns"], { emulator: { brain: steps(1) } });
		const { message, calls } = await ask(gateway, [user("go")], { tools: STEP });
		const messages = [user("go"), message, result(calls[0]!, "r1")];
		const all = await Promise.all([1, 2, 3, 4].map(() => ask(gateway, messages, { tools: STEP })));
		expect(all.map(({ status, text }) => [status, text])).toEqual(all.map(() => [200, "r1"]));
		expect((await ask(gateway, messages, { tools: STEP })).text).toBe("r1");
		expect((await ask(gateway, [user("more")], { tools: STEP })).status).toBe(402);
	});

	it("finish lets a turn that is under way end, and refuses a new one", async () => {
		const { gateway } = await start(["1 turn finish"], { emulator: { brain: steps(2) } });
		const messages: Message[] = [user("go")];
		for (let turn = 0; turn < 2; turn++) {
			const { message, calls } = await ask(gateway, messages, { tools: STEP });
			messages.push(message, result(calls[0]!, `r${turn}`));
		}
		expect((await ask(gateway, messages, { tools: STEP })).text).toBe("r0 r1");
		expect((await ask(gateway, [user("more")], { tools: STEP })).status).toBe(402);
	});
});
