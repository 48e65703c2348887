// O8: nobody reads the log, or it cannot be written. Turns go on, and the health says that lines are missing.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it, onTestFinished } from "vitest";
import { obedient } from "../kit/hostile/brain.ts";
import { say } from "../kit/hostile/rig.ts";
import { temporaryFolder } from "../kit/program.ts";

const BIN = process.env.CURSORWIRE_TEST_PROGRAM!;

interface Logging {
	child: ChildProcess;
	turn(prompt?: string): Promise<number>;
	health(): Promise<{ status: string; degraded?: string[] }>;
	end(): Promise<number | null>;
}

/** The gateway with a standard error of the test's own choice. */
async function start(stderr: "pipe" | number): Promise<Logging> {
	const emulator = await startEmulator({ brain: obedient });
	onTestFinished(() => emulator.close());
	const args = ["serve", "--port", "0", "--json", "--upstream", emulator.url, "--data-dir", temporaryFolder()];
	const child = spawn(process.execPath, [BIN, ...args, "--log-level", "info"], {
		env: { PATH: process.env.PATH, HOME: "/nonexistent", CURSOR_API_KEY: "key_test" },
		stdio: ["ignore", "pipe", stderr],
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	const line = await new Promise<string>((resolve) => child.stdout!.once("data", (chunk) => resolve(String(chunk))));
	const { url, key } = JSON.parse(line) as { url: string; key: string };
	const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
	return {
		child,
		async turn(prompt = "hello") {
			const body = JSON.stringify(say(prompt, { stream: false }));
			const answer = await fetch(`${url}/v1/chat/completions`, { method: "POST", headers, body });
			await answer.text();
			return answer.status;
		},
		health: async () => (await (await fetch(`${url}/healthz`)).json()) as { status: string; degraded?: string[] },
		end() {
			const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
			child.kill("SIGTERM");
			return ended;
		},
	};
}

const turns = async ({ turn }: Logging, count: number) => {
	for (let done = 0; done < count; done += 20) {
		const statuses = await Promise.all(Array.from({ length: 20 }, () => turn()));
		expect(new Set(statuses)).toEqual(new Set([200]));
	}
};

describe("O8: turns go on, and the process ends when told to,", () => {
	it("where the reader of the log has gone", async () => {
		const gateway = await start("pipe");
		gateway.child.stderr!.destroy();
		await turns(gateway, 40);
		expect(await gateway.health()).toMatchObject({ status: "degraded", degraded: ["log"] });
		expect(await gateway.end()).toBe(0);
	});

	it("where the reader of the log has stopped reading", async () => {
		const pipe = join(temporaryFolder(), "pipe");
		execFileSync("mkfifo", [pipe]);
		// Open at both ends, and never read.
		const gateway = await start(openSync(pipe, "r+"));
		// More lines than the 64 KiB of a pipe have room for.
		await turns(gateway, 400);
		expect(await gateway.end()).toBe(0);
	});

	it("where the disk of the log is full, and lines come back with room", async ({ skip }) => {
		const disk = join(temporaryFolder(), "disk");
		mkdirSync(disk);
		try {
			execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", disk], { stdio: "pipe" });
		} catch {
			skip("mounting a small disk is not permitted here");
		}
		onTestFinished(() => void execFileSync("umount", ["-l", disk], { stdio: "pipe" }));
		const log = join(disk, "log");
		const gateway = await start(openSync(log, "a"));
		try {
			writeFileSync(join(disk, "filler"), Buffer.alloc(128 * 1024));
		} catch {
			// That is the purpose.
		}
		await turns(gateway, 40);
		expect((await gateway.health()).degraded).toEqual(["log"]);
		execFileSync("mount", ["-o", "remount,size=4m", disk]);
		await turns(gateway, 20);
		expect(await gateway.end()).toBe(0);
		expect(readFileSync(log, "utf8")).toMatch(/"dropped":\d+/);
	});
});
