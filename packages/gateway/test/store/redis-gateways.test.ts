// Two gateways, each with a data folder of its own, on one Redis.
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import { ask, type Message, result, runsOf, steps, tool, transcript, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { runProgram, temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { startRedis, type TestRedis } from "./redis-server.ts";

const PASSWORD = "canary-of-redis";
const STEP = [tool("step")];

let redis: TestRedis;
beforeAll(async () => {
	redis = await startRedis([], PASSWORD);
});
afterAll(() => redis.stop());
beforeEach(() => redis.cli("flushall"));

/** Two gateways with one upstream. */
async function startTwo(options: Parameters<typeof startTestGateway>[0] = {}): Promise<[TestGateway, TestGateway]> {
	const settings = { redis: redis.url };
	const one = await startTestGateway({ ...options, settings });
	const other = await startTestGateway({ ...options, settings: { ...settings, upstream: one.emulator.url } });
	expect(other.dataDir).not.toBe(one.dataDir);
	return [one, other];
}

/** A gateway looks for keys of others once a second: repeats a question until it is answered with this status. */
async function untilStatus(gateway: TestGateway, key: string, status: number): Promise<void> {
	const headers = { authorization: `Bearer ${key}` };
	while ((await fetch(`${gateway.url}/v1/models`, { headers })).status !== status) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** A conversation is written when its answer has ended, and may still be on its way when the client has it. */
async function untilKept(checkpoints: number): Promise<void> {
	while (Number(await redis.cli("zcard", "cursorwire:checkpoints:order")) < checkpoints);
}

describe("S8: two gateways on one Redis", () => {
	it("know each other's keys, and which of them are revoked", async () => {
		const [one, other] = await startTwo();
		expect(one.key).not.toBe(other.key);
		await untilStatus(one, other.key, 200);
		await untilStatus(other, one.key, 200);
		const env = { CURSORWIRE_DATA_DIR: one.dataDir, CURSORWIRE_REDIS: redis.url };
		const added = await runProgram(["keys", "add", "laptop", "--json"], env);
		const { key, id } = JSON.parse(added.out) as { key: string; id: string };
		await untilStatus(other, key, 200);
		expect((await runProgram(["keys", "revoke", id], env)).code).toBe(0);
		await untilStatus(one, key, 401);
		await untilStatus(other, key, 401);
	});

	it("bring the keys back to a Redis that lost its data while no gateway ran, revoked ones as revoked", async () => {
		const [one, other] = await startTwo();
		const env = { CURSORWIRE_DATA_DIR: one.dataDir, CURSORWIRE_REDIS: redis.url };
		const add = async (name: string) =>
			JSON.parse((await runProgram(["keys", "add", name, "--json"], env)).out) as { key: string };
		const [laptop, phone] = [await add("laptop"), await add("phone")];
		// The other gateway learns of both, and of one of them that it is revoked.
		await untilStatus(other, phone.key, 200);
		expect((await runProgram(["keys", "revoke", "phone"], env)).code).toBe(0);
		await untilStatus(other, phone.key, 401);
		await one.gateway.close();
		await other.gateway.close();
		await redis.cli("flushall");

		const again = await startTestGateway({
			settings: { redis: redis.url, dataDir: other.dataDir, upstream: other.emulator.url },
		});
		await untilStatus(again, laptop.key, 200);
		await untilStatus(again, one.key, 200);
		await untilStatus(again, phone.key, 401);
	});

	it("go on from each other's checkpoints, and only what is new travels", async () => {
		const [one, other] = await startTwo({ emulator: { brain: transcript } });
		const first = await ask(one, [user("one")]);
		await untilKept(1);
		const second = await ask(other, [user("one"), first.message, user("two")], { key: one.key });
		expect(second).toMatchObject({
			path: "checkpoint",
			session: first.session,
			text: `user:one | assistant:${first.text} | user:two`,
		});
		await untilKept(2);
		const third = [user("one"), first.message, user("two"), second.message, user("three")];
		expect(await ask(one, third)).toMatchObject({ path: "checkpoint", session: first.session });
		expect(runsOf(one.emulator).map(({ newest }) => newest)).toEqual(["one", "two", "three"]);
		expect(one.emulator.stats().blobs.missing).toBe(0);
		// It is a matter of the caller: another key has no part in it.
		expect(await ask(other, third)).toMatchObject({ path: "rebuild" });
	});

	it("go on in each other's runs, whoever gets the results", async () => {
		const [one, other] = await startTwo({ emulator: { brain: steps(3) } });
		const messages: Message[] = [user("go")];
		const first = await ask(one, messages, { tools: STEP });
		messages.push(first.message, result(first.calls[0]!, "r1"));
		const second = await ask(other, messages, { tools: STEP, key: one.key });
		expect(second).toMatchObject({ status: 200, path: "parked", session: first.session });
		messages.push(second.message, result(second.calls[0]!, "r2"));
		const third = await ask(one, messages, { tools: STEP });
		expect(third).toMatchObject({ status: 200, path: "parked", session: first.session });
		messages.push(third.message, result(third.calls[0]!, "r3"));
		const last = await ask(other, messages, { tools: STEP, key: one.key, stream: true });
		expect(last).toMatchObject({ path: "parked", text: "r1 r2 r3", session: first.session });
		expect(runsOf(one.emulator)).toHaveLength(1);
	});

	it("answer by rebuilding for one that was killed with a run waiting", async () => {
		const other = await startTestGateway({ emulator: { brain: steps(2) }, settings: { redis: redis.url } });
		const env = { CURSORWIRE_REDIS: redis.url };
		const owner = await serve({ upstream: other.emulator.url, dataDir: temporaryFolder(), env });
		await untilStatus(other, owner.key, 200);
		const messages: Message[] = [user("go")];
		const first = await ask(owner, messages, { tools: STEP });
		expect(first.calls).toHaveLength(1);
		owner.program.child.kill("SIGKILL");
		await owner.program.ended;
		messages.push(first.message, result(first.calls[0]!, "r1"));
		const second = await ask(other, messages, { tools: STEP, key: owner.key });
		expect(second).toMatchObject({ status: 200, path: "rebuild" });
		messages.push(second.message, result(second.calls[0]!, "r2"));
		const last = await ask(other, messages, { tools: STEP, key: owner.key });
		expect(last).toMatchObject({ path: "parked", text: "r1 r2" });
	});

	it("find each other's responses, and add up what was used", async () => {
		const [one, other] = await startTwo({ emulator: { brain: "echo" } });
		const headers = { authorization: `Bearer ${one.key}` };
		const respond = async (gateway: TestGateway, body: object) => {
			const response = await gateway.post("/v1/responses", { model: "composer-1", ...body }, { headers });
			return { status: response.status, body: (await response.json()) as { id: string } };
		};
		const first = await respond(one, { input: "one" });
		const second = await respond(other, { input: "two", previous_response_id: first.body.id });
		expect(second).toMatchObject({ status: 200, body: { previous_response_id: first.body.id } });
		const gone = await other.fetch(`/v1/responses/${first.body.id}`, { method: "DELETE", headers });
		expect(gone.status).toBe(200);
		expect((await one.fetch(`/v1/responses/${first.body.id}`)).status).toBe(404);
		await one.gateway.close();
		await other.gateway.close();
		const store = await openStore({ dataDir: temporaryFolder(), redis: redis.url, warn: expect.fail });
		onTestFinished(() => store.close());
		expect(await store.usageSince(0)).toMatchObject([{ model: "composer-1", requests: 2, failures: 0 }]);
	});
});

describe("the password of the URL", () => {
	it("is in no log, no answer and no report, also while Redis is away", async () => {
		const log: object[] = [];
		const own = await startRedis([], PASSWORD);
		onTestFinished(() => own.stop());
		const gateway = await startTestGateway({ settings: { redis: own.url }, onLog: (entry) => log.push(entry) });
		const health = async () => (await fetch(`${gateway.url}/healthz`)).text();
		expect(JSON.parse(await health())).toMatchObject({ status: "ok", store: "redis" });
		await own.kill();
		const answer = await ask(gateway, [user("hello")]);
		expect(answer.status).toBe(200);
		expect(JSON.parse(await health())).toMatchObject({ status: "degraded", store: "memory" });
		expect(JSON.stringify(log)).toContain("memory stands in");

		const report = join(temporaryFolder(), "report.json");
		const env = {
			HOME: temporaryFolder(),
			CURSORWIRE_UPSTREAM: gateway.emulator.url,
			CURSOR_API_KEY: "key_test",
			CURSORWIRE_REDIS: own.url,
		};
		const programs = [
			await runProgram(["config"], env),
			await runProgram(["config", "--json"], env),
			await runProgram(["doctor", "--no-runs", "--report", report], env),
			await runProgram(["keys"], env),
			await runProgram(["usage"], env),
			await runProgram(["service", "install", "--print"], env),
			await runProgram(["config"], { ...env, CURSORWIRE_REDIS: `http://:${PASSWORD}@127.0.0.1:1` }),
			await runProgram(["config"], { ...env, CURSORWIRE_REDIS: `redis://:${PASSWORD}/x@127.0.0.1:1` }),
		];
		expect(programs[0]!.out).toMatch(/^redis +CURSORWIRE_REDIS +\(set\)$/m);
		expect(programs[3]).toMatchObject({ code: 2, err: expect.stringContaining("CURSORWIRE_REDIS") });
		expect(programs[6]).toMatchObject({ code: 2, err: expect.stringContaining("CURSORWIRE_REDIS: takes redis://") });
		expect(programs[7]).toMatchObject({ code: 2, err: expect.stringContaining("CURSORWIRE_REDIS: takes redis://") });
		const seen = JSON.stringify([log, await health(), programs, readFileSync(report, "utf8")]);
		expect(seen).not.toContain(PASSWORD);
	});
});

it("the connection does not keep a gateway that cannot start from ending", async () => {
	const { port } = new URL((await startTestGateway()).url);
	const ended = await runProgram(["serve", "--port", port], {
		HOME: temporaryFolder(),
		CURSORWIRE_REDIS: redis.url,
		CURSOR_API_KEY: "key_test",
	});
	expect(ended.code).not.toBe(0);
	expect(ended.err).toContain(port);
});

it("the driver is loaded by those alone who use it", async () => {
	const load = (redis: string) => `
		const { openStore } = await import(${JSON.stringify(new URL("../../src/store/open-store.ts", import.meta.url))});
		await import(${JSON.stringify(new URL("../../src/cli/program.ts", import.meta.url))});
		const store = await openStore({ dataDir: ${JSON.stringify(temporaryFolder())}, redis: "${redis}", warn() {} });
		const { _cache } = await import("node:module");
		console.log(store.kind, Object.keys(_cache).some((file) => file.includes("/ioredis/")));
		await store.close();
	`;
	const run = (redis: string) =>
		promisify(execFile)(process.execPath, ["--import", "tsx", "--input-type=module", "-e", load(redis)]);
	expect((await run("")).stdout).toBe("sqlite false\n");
	expect((await run(redis.url)).stdout).toBe("redis true\n");
});
