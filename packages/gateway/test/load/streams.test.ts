// Many streams at once, short enough for every run; `npm run bench` measures what the gateway adds to each event.
import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { type Brain, type Emulator, startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";
import { peakMegabytesOf, type Streamed, stream } from "./many-clients.ts";

const STREAMS = 100;
const EVENTS = 60;
const EVERY_MS = 50;
const MEMORY_CONTROLLER = "/sys/fs/cgroup/memory";

/** Twenty numbered events a second, each with the name of its stream. */
const metronome: Brain = async function* (turn) {
	for (let event = 0; event < EVENTS; event++) {
		yield { text: `${turn.prompt}:${event};` };
		yield { delay: EVERY_MS };
	}
};
const whole = (name: string) => Array.from({ length: EVENTS }, (_, event) => `${name}:${event};`).join("");

async function start(): Promise<{ emulator: Emulator; served: Served; key: string }> {
	const emulator = await startEmulator({ brain: metronome, requestLog: 0 });
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const served = await serve({ upstream: emulator.url, dataDir, flags: ["--log-level", "error"] });
	const env = { CURSORWIRE_DATA_DIR: dataDir };
	const added = await runProgram(["keys", "add", "crowd", "--turns", "256", "--json"], env);
	return { emulator, served, key: JSON.parse(added.out).key };
}

function expectWhole(answers: Streamed[]): void {
	for (const [at, { status, texts, isDone }] of answers.entries()) {
		expect({ at, status, text: texts.join(""), isDone }).toEqual({
			at,
			status: 200,
			text: whole(`s${at}`),
			isDone: true,
		});
	}
}

it("L1: a hundred streams of twenty events a second lose none and keep their order", async () => {
	const { emulator, served, key } = await start();
	const client = { url: served.url, key };
	const answers = await Promise.all(Array.from({ length: STREAMS }, (_, at) => stream(client, `s${at}`)));
	expectWhole(answers);
	// They were open at the same time, and each event was passed on by itself rather than at the end.
	expect(emulator.stats().streams.peak).toBe(STREAMS);
	for (const { texts } of answers) expect(texts.length).toBeGreaterThan(EVENTS / 4);
	expect(peakMegabytesOf(served.pid)).toBeLessThan(200);
	expect(emulator.stats().streams.open).toBe(0);
});

/** A group of processes that together may use so much memory, where this machine lets us make one. */
function limitedGroup(megabytes: number): string {
	const group = `${MEMORY_CONTROLLER}/cursorwire-test-${process.pid}`;
	mkdirSync(group);
	onTestFinished(() => rmdirSync(group));
	writeFileSync(`${group}/memory.limit_in_bytes`, String(megabytes << 20));
	return group;
}

// Needs root and version 1 of control groups.
const canLimit = process.getuid?.() === 0 && existsSync(`${MEMORY_CONTROLLER}/memory.limit_in_bytes`);
it.runIf(canLimit)("L9: within 256 MB nobody is killed, and what does not fit is refused", async () => {
	const group = limitedGroup(256);
	const { emulator, served, key } = await start();
	writeFileSync(`${group}/cgroup.procs`, String(served.pid));
	const client = { url: served.url, key };
	// More than there are slots: the rest is told to come back.
	const answers = await Promise.all(Array.from({ length: 300 }, (_, at) => stream(client, `s${at}`)));
	const shed = answers.filter(({ status }) => status !== 200);
	expect([...new Set(shed.map(({ status }) => status))].sort()).toEqual([429]);
	expect(shed).toHaveLength(300 - 256);
	for (const [at, { status, texts, isDone }] of answers.entries()) {
		if (status === 200) expect({ text: texts.join(""), isDone }).toEqual({ text: whole(`s${at}`), isDone: true });
	}
	expect(served.program.child.exitCode).toBeNull();
	expect(readFileSync(`${group}/memory.oom_control`, "utf8")).toMatch(/^oom_kill 0$/m);
	expectWhole([await stream(client, "s0")]);
	expect(emulator.stats().streams.open).toBe(0);
	// The group can be removed when nobody is in it.
	served.program.child.kill("SIGKILL");
	await served.program.ended;
});
