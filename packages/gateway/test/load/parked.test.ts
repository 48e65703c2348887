// A thousand runs that wait for tool results. The product holds fewer at once, so this gateway is given more room.
import { once } from "node:events";
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { until } from "../kit/cleanup.ts";
import { ask, type Message, result, steps, tool, user } from "../kit/dialects/handmade-chat.ts";
import { temporaryFolder } from "../kit/program.ts";
import { megabytesOf } from "./many-clients.ts";
import { startRoomyGateway } from "./roomy.ts";

const RUNS = 1000;
const AT_ONCE = 40;
const STEP = [tool("step")];

/** Runs the tasks, so many at a time. */
async function inTurns<T>(tasks: readonly (() => Promise<T>)[]): Promise<T[]> {
	const done: T[] = [];
	const queue = tasks.entries();
	const worker = async () => {
		for (const [at, task] of queue) done[at] = await task();
	};
	await Promise.all(Array.from({ length: AT_ONCE }, worker));
	return done;
}

async function start(): Promise<{ emulator: Emulator; gateway: { url: string; key: string }; pid: number }> {
	const emulator = await startEmulator({ brain: steps(1), requestLog: 0 });
	onTestFinished(() => emulator.close());
	const started = await startRoomyGateway({ upstream: emulator.url, dataDir: temporaryFolder(), room: RUNS });
	onTestFinished(async () => {
		started.child.kill("SIGKILL");
		if (started.child.exitCode === null) await once(started.child, "exit");
	});
	return { emulator, gateway: { url: started.url, key: started.key }, pid: started.child.pid! };
}

it("L2: a thousand runs wait, are kept alive, and go on with their results", async () => {
	const { emulator, gateway, pid } = await start();
	const windows = Array.from({ length: RUNS }, () => [user("go")] as Message[]);
	const asked = await inTurns(windows.map((messages) => () => ask(gateway, messages, { tools: STEP, stream: true })));
	expect(emulator.stats().streams.open).toBe(RUNS);
	expect(megabytesOf(pid)).toBeLessThan(250);
	// Each of them is kept alive while it waits.
	const { execHeartbeats } = emulator.stats().frames;
	await until(() => emulator.stats().frames.execHeartbeats >= execHeartbeats + RUNS);
	expect(emulator.stats().streams.open).toBe(RUNS);

	const answers = await inTurns(
		windows.map((messages, at) => {
			const { message, calls } = asked[at]!;
			return () => ask(gateway, [...messages, message, result(calls[0]!, `r${at}`)], { tools: STEP });
		}),
	);
	for (const [at, { path, text }] of answers.entries())
		expect({ path, text }).toEqual({ path: "parked", text: `r${at}` });
	expect(emulator.stats().runs).toMatchObject({ started: RUNS, resumedByToolResult: RUNS, ended: RUNS, failed: 0 });
	await until(() => emulator.stats().streams.open === 0);
	expect(megabytesOf(pid)).toBeLessThan(250);
});
