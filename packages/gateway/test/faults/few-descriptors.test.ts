// O3: with few descriptors the gateway refuses in time, and recovers when the load ends.
import { spawnSync } from "node:child_process";
import { startEmulator } from "cursorwire-emulator";
import { expect, it } from "vitest";
import { closing, until } from "../kit/cleanup.ts";
import { obedient } from "../kit/hostile/brain.ts";
import { RawClient } from "../kit/hostile/raw-client.ts";
import { say } from "../kit/hostile/rig.ts";
import { openDescriptors } from "../kit/process-memory.ts";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";

const canLimit = process.platform === "linux" && spawnSync("prlimit", ["--version"]).status === 0;

/** A turn that never ends, on a connection of its own. */
async function hang(url: string, key: string, see: (outcome: string) => void): Promise<RawClient | undefined> {
	const { host, port } = new URL(url);
	const client = await RawClient.open(Number(port)).catch(() => undefined);
	if (!client) return void see("cut");
	client.socket.on("error", () => {});
	const body = JSON.stringify(say("hang"));
	const head = ["POST /v1/chat/completions HTTP/1.1", `Host: ${host}`, `Authorization: Bearer ${key}`];
	client.send([...head, "Content-Type: application/json", `Content-Length: ${body.length}`, "", body].join("\r\n"));
	client.response().then(
		({ status, headers }) => see(Number(headers["retry-after"]) > 0 ? String(status) : `${status} without an hour`),
		() => see("cut"),
	);
	return client;
}

it.runIf(canLimit).each([64, 256])(
	"O3: with %i open files 200 turns that never end are shed with 503, and the next ones are answered",
	async (files) => {
		const emulator = closing(await startEmulator({ brain: obedient }));
		const under = ["prlimit", `--nofile=${files}:${files}`];
		const flags = ["--accept-cursor-credentials"];
		const served = await serve({ upstream: emulator.url, dataDir: temporaryFolder(), flags, under });
		const headersOf = (key: string) => ({
			authorization: `Bearer ${key}`,
			"content-type": "application/json",
			connection: "close",
		});
		const expectService = async () => {
			for (const key of keys) {
				expect((await served.ask(say("hello"), { headers: headersOf(key) })).status).toBe(200);
			}
		};
		// None of them reaches its own limit of turns. Each credential has connections to Cursor of its own.
		const keys = files < 100 ? [served.key] : [served.key, "key_a", "key_b", "key_c"];
		await expectService();
		for (let round = 0; round < 2; round++) {
			const outcomes: string[] = [];
			const clients: (RawClient | undefined)[] = [];
			for (let at = 0; at < 200; at++) {
				clients.push(await hang(served.url, keys[at % keys.length]!, (outcome) => outcomes.push(outcome)));
				expect(openDescriptors(served.pid)).toBeLessThanOrEqual(files);
			}
			await until(() => outcomes.length + emulator.stats().streams.open >= 200);
			expect(emulator.stats().streams.open).toBeGreaterThanOrEqual(8);
			expect(outcomes).toContain("503");
			for (const outcome of outcomes) expect(["503", "cut"]).toContain(outcome);
			for (const client of clients) client?.close();
			await until(() => emulator.stats().streams.open === 0);
			await expectService();
		}
		expect(served.program.child.exitCode).toBeNull();
	},
);
