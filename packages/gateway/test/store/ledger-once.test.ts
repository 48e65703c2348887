// Every finished turn is in the ledger exactly once, whatever happens to the gateway and to Redis: real processes.
import { setTimeout as sleep } from "node:timers/promises";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";
import { startRedis } from "./redis-server.ts";

/** Names that nobody has tell the turns apart. */
const namesOf = (round: string) => Array.from({ length: 20 }, (_, index) => `${round}-${index}`);

async function turns(gateway: Served, names: string[]): Promise<string[]> {
	const statuses = await Promise.all(
		names.map(async (model) => {
			const response = await gateway.ask({ model, messages: [{ role: "user", content: "hello" }] });
			await response.text();
			return response.status;
		}),
	);
	expect(new Set(statuses)).toEqual(new Set([404]));
	return names;
}

/** The names in the ledger, as a program of its own reads them. */
async function ledger(env: Record<string, string>): Promise<string[]> {
	const { out, code } = await runProgram(["usage", "--since", "1d", "--csv"], env);
	expect(code).toBe(0);
	const [head = "", ...rows] = out.trim().split("\n");
	const column = head.split(",").indexOf("model");
	return rows.map((row) => row.split(",")[column]!.replaceAll('"', "")).sort();
}

/** Whatever waits to be written is written for a reader. */
async function lookAt(gateway: Served): Promise<void> {
	const response = await fetch(`${gateway.url}/v1/usage`, { headers: { authorization: `Bearer ${gateway.key}` } });
	expect(response.status).toBe(200);
}

async function setUp(more: Record<string, string> = {}) {
	const emulator = await startEmulator();
	onTestFinished(() => emulator.close());
	const dataDir = temporaryFolder();
	const start = () => serve({ upstream: emulator.url, dataDir, flags: ["--log-level", "silent"], env: more });
	return { start, env: { CURSORWIRE_DATA_DIR: dataDir, ...more } };
}

it("after stops and kills, with SQLite", async () => {
	const { start, env } = await setUp();
	const finished: string[] = [];
	for (const signal of ["SIGTERM", "SIGKILL", "SIGTERM"] as const) {
		const gateway = await start();
		finished.push(...(await turns(gateway, namesOf(`${signal}-${finished.length}`))));
		// A stop writes what waits. Of turns that end together, a kill may lose those of 25 milliseconds; who looks has
		// them written.
		if (signal === "SIGKILL") await lookAt(gateway);
		gateway.program.child.kill(signal);
		await gateway.program.ended;
		expect(await ledger(env)).toEqual([...finished].sort());
	}
});

it("after kills at the moment at which the client has seen the end of a turn, with SQLite", async () => {
	const { start, env } = await setUp();
	const finished: string[] = [];
	for (const stream of [true, false, true]) {
		const gateway = await start();
		const body = { model: "composer-1", stream, messages: [{ role: "user", content: "hello" }] };
		const response = await gateway.ask(body);
		await response.text();
		gateway.program.child.kill("SIGKILL");
		expect(response.status).toBe(200);
		finished.push("composer-1");
		await gateway.program.ended;
	}
	expect(await ledger(env)).toEqual(finished);
});

it("with a Redis that is killed, away for some turns, and comes back", async () => {
	const redis = await startRedis(["--appendonly", "yes", "--appendfsync", "always"]);
	onTestFinished(() => redis.stop());
	const { start, env } = await setUp({ CURSORWIRE_REDIS: redis.url });
	const gateway = await start();
	const finished = await turns(gateway, namesOf("before"));
	await lookAt(gateway);
	await redis.kill();
	finished.push(...(await turns(gateway, namesOf("away"))));
	await lookAt(gateway);
	await redis.restart();
	// It looks for Redis once a minute.
	const isBack = async () => !JSON.stringify(await (await fetch(`${gateway.url}/healthz`)).json()).includes("memory");
	while (!(await isBack())) await sleep(1_000);
	finished.push(...(await turns(gateway, namesOf("after"))));
	gateway.program.child.kill("SIGTERM");
	await gateway.program.ended;
	const other = await start();
	finished.push(...(await turns(other, namesOf("restarted"))));
	await lookAt(other);
	other.program.child.kill("SIGKILL");
	await other.program.ended;
	expect(await ledger(env)).toEqual([...finished].sort());
});
