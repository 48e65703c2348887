// A reply that comes from another gateway is like one of the client's own: it can be asked for twice, left, and read slowly.
import { get } from "node:http";
import type { Brain } from "cursorwire-emulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import {
	type Answer,
	type AskOptions,
	ask,
	type Message,
	result,
	resultsSeen,
	runsOf,
	tool,
	user,
} from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { startRedis, type TestRedis } from "../store/redis-server.ts";

const KEY = "one-key-for-all-gateways-of-the-group";
const TOOLS = [tool("step")];
const CHUNK = "x".repeat(65_536);
/** Less than 16 MB, because the whole conversation comes once more in its checkpoint. */
const FLOOD = 14 << 20;
/** What sockets, windows and the two gateways hold together when nobody reads. */
const MOST_HELD = 12 << 20;

let redis: TestRedis;
beforeAll(async () => {
	redis = await startRedis();
});
afterAll(() => redis.stop());
beforeEach(() => redis.cli("flushall"));

/** The gateway that has the run, and the one that gets the results. */
async function startTwo(brain: Brain): Promise<[owner: TestGateway, other: TestGateway]> {
	const settings = { redis: redis.url, key: KEY };
	const owner = await startTestGateway({ emulator: { brain }, settings });
	return [owner, await startTestGateway({ settings: { ...settings, upstream: owner.emulator.url } })];
}

/** The first turn of a conversation, and its history with the result of its call. */
async function withResult(owner: TestGateway, text: string): Promise<Message[]> {
	const messages = [user("go")];
	const first = await ask(owner, messages, { tools: TOOLS });
	return [...messages, first.message, result(first.calls[0]!, text)];
}

const isNothingOpen = ({ emulator }: TestGateway) => emulator.stats().exchanges.open === 0;

/** Says `begun` after the result, then nothing until it is released. */
function heldBrain(): { brain: Brain; release(): void; answered(): number } {
	let answered = 0;
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	return {
		release: () => release(),
		answered: () => answered,
		async *brain(turn) {
			const known = resultsSeen(turn);
			if (known.length === 0) {
				const [answer] = yield { calls: [{ name: "step", arguments: { n: 1 } }] };
				answered += 1;
				known.push(answer.text);
			}
			yield { text: "begun " };
			await held;
			yield { text: known.join() };
		},
	};
}

it("S5, S8: an identical request joins the reply, or gets it again, at every gateway", async () => {
	const { brain, release, answered } = heldBrain();
	const [owner, other] = await startTwo(brain);
	const messages = await withResult(owner, "r1");
	const begun = (gateway: TestGateway) => {
		let hasBegun = () => {};
		const began = new Promise<void>((resolve) => {
			hasBegun = resolve;
		});
		return { began, told: ask(gateway, messages, { tools: TOOLS, stream: true, onText: hasBegun }) };
	};
	const joined: Promise<Answer>[] = [];
	for (const gateway of [other, owner, other]) {
		const { began, told } = begun(gateway);
		await began;
		joined.push(told);
	}
	release();
	const replies = await Promise.all(joined);
	for (const gateway of [other, owner]) replies.push(await ask(gateway, messages, { tools: TOOLS }));
	for (const reply of replies) expect(reply).toMatchObject({ status: 200, path: "parked", text: "begun r1" });
	expect(answered()).toBe(1);
	expect(runsOf(owner.emulator)).toHaveLength(1);
});

describe("S8: a client that leaves ends the run of the other gateway, as it would end one of its own", () => {
	it.each([
		["before anything was said", false],
		["while it is told the reply", true],
	])("%s", async (_when, hasBegun) => {
		const { brain, release, answered } = heldBrain();
		const [owner, other] = await startTwo(brain);
		for (const asked of [owner, other]) {
			const messages = await withResult(owner, "r1");
			const before = answered();
			const leaving = new AbortController();
			const options: AskOptions = { tools: TOOLS, stream: hasBegun, signal: leaving.signal };
			const left = ask(asked, messages, { ...options, onText: () => leaving.abort() });
			if (!hasBegun) {
				await until(() => answered() > before);
				leaving.abort();
			}
			await expect(left).rejects.toThrow();
			await until(() => isNothingOpen(owner));
			expect(owner.gateway.upstream().runs).toBe(0);
		}
		release();
	});
});

it("S8: a client that does not read stops the run of the other gateway, and misses nothing", async () => {
	let said = 0;
	const [owner, other] = await startTwo(async function* (turn) {
		if (turn.prompt === "quick") return yield { text: "quick" };
		yield { calls: [{ name: "step", arguments: { n: 1 } }] };
		for (; said < FLOOD; said += CHUNK.length) yield { text: CHUNK };
	});
	const messages = await withResult(owner, "r1");
	const response = await other.post("/v1/chat/completions", {
		...{ model: "composer-1", stream: true, tools: TOOLS },
		messages,
	});
	expect(response.headers.get("x-cursorwire-path")).toBe("parked");
	// Both gateways go on with other turns, and no more is said meanwhile.
	for (let before = -1; before !== said; ) {
		before = said;
		for (const gateway of [owner, other, owner, other]) await ask(gateway, [user("quick")]);
	}
	expect(said).toBeGreaterThan(0);
	expect(said).toBeLessThan(MOST_HELD);
	const inboxes = (await redis.cli("keys", "cursorwire:group:inbox:*")).split("\n");
	for (const inbox of inboxes) expect(Number(await redis.cli("memory", "usage", inbox))).toBeLessThan(1 << 20);
	const text = await response.text();
	expect(text.match(/x/g)!.length).toBeGreaterThanOrEqual(FLOOD);
	expect(text.trimEnd().endsWith("data: [DONE]")).toBe(true);
});

it("S9: a gateway that stops takes no more connections, so that a load balancer tries another one", async () => {
	const { brain, release } = heldBrain();
	const [owner] = await startTwo(brain);
	const messages = await withResult(owner, "r1");
	let hasBegun = () => {};
	const began = new Promise<void>((resolve) => {
		hasBegun = resolve;
	});
	const told = ask(owner, messages, { tools: TOOLS, stream: true, onText: hasBegun });
	await began;
	const over = owner.gateway.close(60_000);
	const { port } = new URL(owner.url);
	const health = () =>
		new Promise<number | string | undefined>((resolve) => {
			const asked = get({ port, path: "/healthz", agent: false }, (response) => {
				response.resume();
				resolve(response.statusCode);
			});
			asked.on("error", ({ code }: NodeJS.ErrnoException) => resolve(code));
		});
	while ((await health()) === 503) await new Promise((resolve) => setTimeout(resolve, 20));
	expect(await health()).toBe("ECONNREFUSED");
	release();
	expect(await told).toMatchObject({ status: 200, text: "begun r1" });
	await over;
});
