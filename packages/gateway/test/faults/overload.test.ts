// L3 and A14: more than there is room for is refused at once, and who takes too much takes it from nobody else.
import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { KeyRing } from "../../src/access/key-ring.ts";
import { openStore } from "../../src/store/open-store.ts";
import { until } from "../kit/cleanup.ts";
import { LOOK } from "../kit/hostile/brain.ts";
import type { RawClient, RawResponse } from "../kit/hostile/raw-client.ts";
import { expectRefusal, say, useRig } from "../kit/hostile/rig.ts";

const rig = useRig({ settings: { acceptCursorCredentials: true } });
/** Cursor's own keys, each a caller without a key of the gateway. */
const callers = Array.from({ length: 6 }, (_, at) => rig.as(`key_caller${at}`));
beforeAll(async () => {
	// Those that are new share a small budget, which is not what is tested here.
	for (const caller of callers) await caller.expectService();
});

/** Another key of the gateway itself. */
async function anotherKey(): Promise<typeof rig> {
	const store = await openStore({ dataDir: rig.dataDir, warn: (message) => expect.fail(message) });
	const { key } = await new KeyRing({ store, now: Date.now, random: randomBytes }).add("another");
	await store.close();
	const other = rig.as(key);
	// Keys that another process made are looked up once a second.
	while ((await other.ask(say("hello"))).status === 401) await new Promise((resolve) => setTimeout(resolve, 100));
	return other;
}

/** Sends requests that never end, each on a connection of its own. */
async function hang(caller: typeof rig, count: number) {
	const answers: RawResponse[] = [];
	const clients: RawClient[] = [];
	for (let at = 0; at < count; at++) {
		const client = await caller.open();
		clients.push(client);
		client.send(caller.chat(say("hang", { stream: at % 2 === 0 })));
		client.response().then(
			(answer) => answers.push(answer),
			() => {},
		);
	}
	return {
		answers,
		leave() {
			for (const client of clients) client.close();
		},
	};
}

const openStreams = () => rig.emulator.stats().streams.open;

describe("A14: turns at once", () => {
	it("are 64 for one caller, and others are served meanwhile", async () => {
		const [greedy, modest] = callers as [typeof rig, typeof rig];
		const { answers, leave } = await hang(greedy, 70);
		await until(() => openStreams() === 64 && answers.length === 6);
		for (const answer of answers) {
			expect(expectRefusal(answer, 429).code).toBe("concurrency_limit");
			expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
		}
		await modest.expectService();
		// What is refused at the door fills neither the ledger nor the log.
		const written = rig.turns.length;
		for (let round = 0; round < 20; round++) expectRefusal(await greedy.ask(say("hello")), 429);
		expect(rig.turns.length).toBe(written);
		leave();
		await until(() => openStreams() === 0);
		await greedy.expectService();
	});

	it("are 256 for all, 192 of them without a gateway key, and the rest is told to come back", async () => {
		const other = await anotherKey();
		const guests = await Promise.all(callers.map((caller) => hang(caller, 35)));
		const refused = () => guests.flatMap((each) => each.answers);
		await until(() => openStreams() === 192 && refused().length === 6 * 35 - 192);
		// What guests cannot take is there for the owner.
		await rig.expectService();
		const owner = await hang(rig, 64);
		await until(() => openStreams() === 256);
		for (const answer of refused()) {
			expect(expectRefusal(answer, 503).code).toBe("overloaded");
			expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
		}
		expectRefusal(await other.ask(say("hello")), 503);
		// What costs nothing upstream is answered all the same.
		expect((await rig.answerTo(rig.head("GET", "/healthz"))).status).toBe(200);
		for (const { leave } of [...guests, owner]) leave();
		await until(() => openStreams() === 0);
		expect(rig.emulator.stats().streams.peak).toBe(256);
		for (const caller of callers) await caller.expectService();
	});

	it("L3: are at most 256 in a burst of 2,000 connections, and everyone else is told at once", async () => {
		const keys = [rig, await anotherKey(), await anotherKey(), await anotherKey(), await anotherKey()];
		const outcomes = new Map<string, number>();
		const count = (outcome: string) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
		const clients: RawClient[] = [];
		const burst = Array.from({ length: 2000 }, async (_, at) => {
			const caller = keys[at % keys.length]!;
			const client = await caller.open().catch(() => undefined);
			if (!client) return count("cut");
			clients.push(client);
			client.socket.on("error", () => {});
			client.send(caller.chat(say("hang")));
			void client.response().then(
				({ status, headers }) => count(Number(headers["retry-after"]) > 0 ? String(status) : "no retry-after"),
				() => count("cut"),
			);
		});
		await Promise.all(burst);
		const told = () => [...outcomes.values()].reduce((sum, each) => sum + each, 0);
		const isSettled = () => told() + openStreams() >= 2000;
		await until(isSettled);
		expect(openStreams()).toBeLessThanOrEqual(256);
		expect(openStreams()).toBeGreaterThan(200);
		// Without a word goes only what comes while half as many as there may be are being told already.
		expect(outcomes.get("503")).toBeGreaterThan(1000);
		expect([...outcomes.keys()]).not.toContain("no retry-after");
		for (const client of clients) client.close();
		await until(() => openStreams() === 0);
	});
});

describe("A14: runs that wait for tools", () => {
	it("are 32 for one caller, the oldest of which makes room, and others keep theirs", async () => {
		const [greedy, modest] = callers as [typeof rig, typeof rig];
		const park = async (caller: typeof rig, at: number) => {
			const request = say(`look at ${at}`, { tools: [LOOK] });
			const { body } = await caller.ask(request);
			const { message } = JSON.parse(body).choices[0];
			const [{ id }] = message.tool_calls;
			const messages = [...request.messages, message, { role: "tool", tool_call_id: id, content: `tree ${at}` }];
			return () => caller.ask({ ...request, messages });
		};
		const goOn = await park(modest, 0);
		const greedyRuns = [];
		for (let at = 0; at < 40; at++) greedyRuns.push(await park(greedy, at));
		expect(rig.gateway.parkedRuns()).toBe(33);
		await until(() => openStreams() === 33);

		const answer = await goOn();
		expect(answer.headers["x-cursorwire-path"]).toBe("parked");
		expect(answer.body).toContain("saw tree 0");
		// What was given up is rebuilt from what the client sends.
		const [first, last] = [await greedyRuns[0]!(), await greedyRuns[39]!()];
		expect(first.headers["x-cursorwire-path"]).toBe("rebuild");
		expect(first.body).toContain("saw tree 0");
		expect(last.headers["x-cursorwire-path"]).toBe("parked");
		expect(last.body).toContain("saw tree 39");
	});
});
