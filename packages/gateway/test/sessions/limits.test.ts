// Runs that wait: how long, how many, and what becomes of those that are gone when their results come.
import type { Brain } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import {
	addKey,
	ask,
	type Message,
	numberOf,
	result,
	resultsSeen,
	steps,
	tool,
	user,
	withKeys,
} from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { TcpProxy } from "../kit/network/tcp-proxy.ts";
import { temporaryFolder } from "../kit/program.ts";

const STEP = [tool("step")];
const cancelled = ({ emulator }: TestGateway) => emulator.stats().runs.cancelled.length;

/** A conversation whose call is open, ready to be answered. */
async function park(gateway: TestGateway, key = gateway.key): Promise<{ key: string; messages: Message[] }> {
	const { message, calls } = await ask(gateway, [user("go")], { key, tools: STEP });
	return { key, messages: [user("go"), message, result(calls[0]!, "r1")] };
}

const answer = (gateway: TestGateway, { key, messages }: { key: string; messages: Message[] }) =>
	ask(gateway, messages, { key, tools: STEP });

describe("S6: a run that waits for results", () => {
	it("is given up after its deadline, and the results then cost one more run", async () => {
		const gateway = await startTestGateway({ emulator: { brain: steps(1) }, parked: { deadlineMs: 50 } });
		const window = await park(gateway);
		await until(() => cancelled(gateway) === 1);
		expect(gateway.gateway.parkedRuns()).toBe(0);
		expect(gateway.emulator.stats().streams.open).toBe(0);
		expect(await answer(gateway, window)).toMatchObject({ status: 200, path: "rebuild", text: "r1" });
		expect(gateway.emulator.stats().runs).toMatchObject({ started: 2, resumed: 1, resumedByToolResult: 0, ended: 1 });
	});

	it("is given up when its caller has too many, the oldest first", async () => {
		const dataDir = temporaryFolder();
		const { key } = await addKey(dataDir, "other");
		const gateway = await startTestGateway({
			emulator: { brain: steps(1) },
			settings: { dataDir },
			parked: { perCaller: 2 },
		});
		const other = await park(gateway, key);
		const own = [await park(gateway), await park(gateway), await park(gateway)];
		await until(() => cancelled(gateway) === 1);
		expect(gateway.gateway.parkedRuns()).toBe(3);
		const paths: (string | null)[] = [];
		for (const window of [...own, other]) {
			const { path, text } = await answer(gateway, window);
			expect(text).toBe("r1");
			paths.push(path);
		}
		expect(paths).toEqual(["rebuild", "parked", "parked", "parked"]);
	});

	it("is given up when all callers together have too many, the oldest first", async () => {
		const dataDir = temporaryFolder();
		const { key } = await addKey(dataDir, "other");
		const gateway = await startTestGateway({
			emulator: { brain: steps(1) },
			settings: { dataDir },
			parked: { total: 2 },
		});
		const windows = [await park(gateway, key), await park(gateway), await park(gateway, key)];
		await until(() => cancelled(gateway) === 1);
		const paths: (string | null)[] = [];
		for (const window of windows) paths.push((await answer(gateway, window)).path);
		expect(paths).toEqual(["rebuild", "parked", "parked"]);
	});

	it("may be lost with its connection while nobody looks", async () => {
		const backend = await startTestGateway({ emulator: { brain: steps(2) } });
		const proxy = await TcpProxy.listen(new URL(backend.emulator.url));
		onTestFinished(() => proxy.close());
		const gateway = await startTestGateway({ settings: { upstream: proxy.origin.href } });
		const window = await park(gateway);
		expect(gateway.gateway.parkedRuns()).toBe(1);
		await proxy.down();
		await until(() => gateway.gateway.parkedRuns() === 0);
		await proxy.up();
		const second = await answer(gateway, window);
		expect(second).toMatchObject({ status: 200, path: "rebuild" });
		const last = [...window.messages, second.message, result(second.calls[0]!, "r2")];
		expect(await answer(gateway, { key: gateway.key, messages: last })).toMatchObject({
			path: "parked",
			text: "r1 r2",
		});
	});

	it("that loses its connection just when its results come does not start over", async () => {
		let runs = 0;
		const gateway = await startTestGateway({
			emulator: {
				async *brain(turn) {
					runs += 1;
					const known = resultsSeen(turn);
					while (known.length < 2) {
						const [step] = yield { calls: [{ name: "step", arguments: { n: known.length + 1 } }] };
						known.push(step.text);
						if (runs === 1) yield { drop: true };
					}
					yield { text: known.join(" ") };
				},
			},
		});
		const window = await park(gateway);
		// Told as an error, or made good: in no case is the first step asked for once more.
		let second = await answer(gateway, window);
		if (second.status !== 200) second = await answer(gateway, window);
		expect(second.calls.map(numberOf)).toEqual([2]);
		const messages = [...window.messages, second.message, result(second.calls[0]!, "r2")];
		expect(await answer(gateway, { key: gateway.key, messages })).toMatchObject({ path: "parked", text: "r1 r2" });
	});

	it("outlives the connection of its client", async () => {
		const gateway = await startTestGateway({ emulator: { brain: steps(1) } });
		const body = JSON.stringify({ model: "composer-1", messages: [user("go")], tools: STEP });
		const response = await gateway.fetch("/v1/chat/completions", {
			method: "POST",
			headers: { "content-type": "application/json", connection: "close" },
			body,
		});
		const { choices } = (await response.json()) as { choices: [{ message: Message }] };
		const { message } = choices[0];
		await until(() => gateway.emulator.stats().streams.open === 1);
		const messages = [user("go"), message, result(message.tool_calls![0]!, "r1")];
		expect(await ask(gateway, messages, { tools: STEP })).toMatchObject({ path: "parked", text: "r1" });
	});

	it("is of no use to a key that was revoked", async () => {
		const dataDir = temporaryFolder();
		const { key, id } = await addKey(dataDir, "guest");
		const gateway = await startTestGateway({ emulator: { brain: steps(1) }, settings: { dataDir } });
		const window = await park(gateway, key);
		await withKeys(dataDir, (ring) => ring.revoke(id));
		const revokedAt = Date.now();
		// Another process has revoked it; for a moment the gateway may still believe in it.
		await until(() => Date.now() - revokedAt > 1_100);
		expect(await answer(gateway, window)).toMatchObject({ status: 401, error: { code: "invalid_api_key" } });
		expect(gateway.emulator.stats().runs.resumedByToolResult).toBe(0);
	});

	it("ends with the gateway", async () => {
		const gateway = await startTestGateway({ emulator: { brain: steps(1) } });
		await Promise.all([park(gateway), park(gateway), park(gateway)]);
		await gateway.gateway.close();
		await until(() => gateway.emulator.stats().streams.open === 0 && cancelled(gateway) === 3);
	});

	it("is given up when its conversation goes on without it", async () => {
		const brain: Brain = async function* (turn) {
			if (turn.prompt === "go") yield* steps(1)(turn);
			else yield { text: "all right" };
		};
		const gateway = await startTestGateway({ emulator: { brain } });
		const { messages } = await park(gateway);
		// Another model takes over in the middle of the tools.
		const other = await ask(gateway, [...messages, user("never mind")], { tools: STEP, model: "auto" });
		expect(other).toMatchObject({ path: "rebuild", text: "all right" });
		await until(() => cancelled(gateway) === 1);
		expect(gateway.gateway.parkedRuns()).toBe(0);
	});
});
