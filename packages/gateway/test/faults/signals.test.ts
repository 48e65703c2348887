// O5, O7: two gateways, and signals at each phase.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Emulator, startEmulator } from "cursorwire-emulator";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { findGateway } from "../../src/app/discovery.ts";
import { until } from "../kit/cleanup.ts";
import { LOOK, obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { startProgram, temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";

const WITH_PARENT = fileURLToPath(new URL("../../../opencode/bin/with-parent.mjs", import.meta.url));

let emulator: Emulator;
beforeAll(async () => {
	emulator = await startEmulator({ brain: obedient });
});
afterAll(() => emulator.close());

const start = (dataDir = temporaryFolder()) => serve({ upstream: emulator.url, dataDir });
const discovery = (dataDir: string) => join(dataDir, "gateway.json");

describe.each(["SIGTERM", "SIGINT"] as const)("O7: %s", (signal) => {
	const phases: [phase: string, bring: (running: Served) => Promise<unknown>][] = [
		["when nothing was asked yet", async () => {}],
		[
			"after an answer, on a connection that is kept",
			({ ask }) => ask(say("hello", { stream: false })).then((answer) => answer.text()),
		],
		[
			"while a run waits for a tool",
			({ ask }) => ask(say("look", { tools: [LOOK], stream: false })).then((answer) => answer.text()),
		],
	];
	it.each(phases)("%s ends it with 0, and leaves nothing", async (_phase, bring) => {
		const dataDir = temporaryFolder();
		const running = await start(dataDir);
		await bring(running);
		expect(existsSync(discovery(dataDir))).toBe(true);
		running.program.child.kill(signal);
		expect((await running.program.ended).code).toBe(0);
		expect(existsSync(discovery(dataDir))).toBe(false);
		await until(() => emulator.stats().streams.open === 0);
	});

	it("while it starts ends it, and the next one starts", async () => {
		const dataDir = temporaryFolder();
		for (const waitMs of [0, 60, 120]) {
			const program = startProgram(["serve", "--port", "0", "--upstream", emulator.url, "--data-dir", dataDir]);
			await new Promise((resolve) => setTimeout(resolve, waitMs));
			program.child.kill(signal);
			await program.ended;
		}
		const running = await start(dataDir);
		expect((await running.ask(say("hello", { stream: false }))).status).toBe(200);
	});
});

it("O7: a Ctrl-C while it starts is not forgotten", async () => {
	const args = ["serve", "--upstream", emulator.url, "--data-dir", temporaryFolder()];
	// What it says of this name is the last that it does before it opens the gateway.
	const program = startProgram(args, { PORT: "0" });
	await program.complains(/the name of this setting is/);
	program.child.kill("SIGINT");
	expect((await program.ended).code).toBe(0);
});

describe("O7: a parent that dies", () => {
	it("takes the gateway with it, also where it is killed", async () => {
		const dataDir = temporaryFolder();
		const args = ["serve", "--port", "0", "--upstream", emulator.url, "--data-dir", dataDir];
		// A parent that starts the gateway as the OpenCode plugin does, and is then killed.
		const program = `require("node:child_process").spawn(process.execPath, ${JSON.stringify([WITH_PARENT, process.env.CURSORWIRE_TEST_PROGRAM, ...args])}, { stdio: ["pipe", "ignore", "ignore"] }); setInterval(() => {}, 1000);`;
		const env = { PATH: process.env.PATH, HOME: dataDir, CURSOR_API_KEY: "key_test" };
		const parent = spawn(process.execPath, ["-e", program], { env, stdio: "ignore" });
		onTestFinished(() => void parent.kill("SIGKILL"));
		await until(() => existsSync(discovery(dataDir)));
		const { pid } = JSON.parse(readFileSync(discovery(dataDir), "utf8")) as { pid: number };
		onTestFinished(() => {
			try {
				process.kill(pid, "SIGKILL");
			} catch {
				// It has ended, as it should.
			}
		});
		parent.kill("SIGKILL");
		await until(() => !existsSync(discovery(dataDir)));
		await until(() => !isAlive(pid));
	});
});

describe("O5: two gateways on one data folder", () => {
	it("both answer with the same keys, and the living one is found after the other was killed", async () => {
		const dataDir = temporaryFolder();
		const first = await start(dataDir);
		const second = await start(dataDir);
		expect(second.key).toBe(first.key);
		for (const { ask } of [first, second]) expect((await ask(say("hello", { stream: false }))).status).toBe(200);
		expect(findGateway(dataDir)?.url).toBe(second.url);
		second.program.child.kill("SIGKILL");
		await second.program.ended;
		// Its file is left behind, and names a process that is gone.
		expect(existsSync(discovery(dataDir))).toBe(true);
		await until(() => findGateway(dataDir)?.url === first.url);
		expect((await first.ask(say("hello", { stream: false }))).status).toBe(200);
		const third = await start(dataDir);
		expect(findGateway(dataDir)?.url).toBe(third.url);
	});
});

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return true;
	} catch {
		return false;
	}
}
