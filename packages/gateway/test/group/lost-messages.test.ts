// What becomes of replies when Redis loses what the gateways have said, or has no memory for it.
import { expect, it, onTestFinished } from "vitest";
import type { GroupListener, GroupMember } from "../../src/sessions/run-group.ts";
import { inboxOf } from "../../src/store/redis/group-scripts.ts";
import type { TurnHandle } from "../../src/turn/listener.ts";
import { until } from "../kit/cleanup.ts";
import { startRedis, type TestRedis } from "../store/redis-server.ts";
import { ask, CALL, EVENTS, NOBODY, QUESTION, REPLY, startMember, startPeer } from "./peer.ts";

const GONE = "the gateway of the run is gone";

async function started(): Promise<TestRedis> {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	return redis;
}

/** Another gateway has accepted the results of this one's client. */
async function asking() {
	const redis = await started();
	const group = await startMember(redis, "asker");
	const owner = await startPeer(redis, "owner");
	await owner.hasRun();
	const ended = ask(group);
	const { claim } = await owner.hears("question");
	return { redis, owner, ended, from: "owner", claim };
}

/** A member that replies as the test tells it to. */
async function serving() {
	const redis = await started();
	const told: string[] = [];
	const handle: TurnHandle = {
		pause: () => void told.push("pause"),
		resume: () => void told.push("resume"),
		cancel: () => void told.push("cancel"),
	};
	const reply: { listener?: GroupListener } = {};
	const answer: GroupMember["answer"] = (_question, listener) => {
		reply.listener = listener;
		return { ...REPLY, handle };
	};
	await startMember(redis, "owner", { member: { ...NOBODY, answer } });
	const asker = await startPeer(redis, "asker");
	await asker.hasRun();
	await asker.say("owner", { type: "question", from: "asker", claim: "c", question: QUESTION });
	await asker.hears("accepted");
	return { redis, asker, told, listener: reply.listener! };
}

it("S9: a reply of which Redis lost a part in the middle is an error and not a shorter reply", async () => {
	const { owner, ended, from, claim } = await asking();
	await owner.say(
		"asker",
		{ type: "accepted", from, claim, reply: REPLY },
		{ type: "events", from, claim, at: 1, events: EVENTS.slice(0, 1) },
		{ type: "events", from, claim, at: 3, events: EVENTS.slice(2) },
	);
	expect(await ended).toMatchObject({ kind: "upstream-reset" });
	// The run says the rest to nobody.
	await owner.hears("cancel");
});

it("S9: a reply whose end Redis has lost with all of its data ends with an error", async () => {
	const { redis, owner, ended, from, claim } = await asking();
	await owner.say("asker", { type: "accepted", from, claim, reply: REPLY });
	await redis.cli("flushall");
	await owner.hasRun();
	expect(await owner.hears("check")).toMatchObject({ claim });
	await owner.say("asker", { type: "said", from, claim, batches: 1 });
	expect(await ended).toMatchObject({ kind: "upstream-reset" });
});

it("S9: a question that Redis has lost is answered by the gateway that has asked", async () => {
	const { redis, owner, ended, from, claim } = await asking();
	await redis.cli("flushall");
	await owner.hasRun();
	await owner.hears("check");
	await owner.say("asker", { type: "said", from, claim });
	expect(await ended).toBe(GONE);
	// Whoever has the run is told.
	await until(async () => (await redis.cli("get", `cursorwire:group:call:me:${CALL}`)) === "-");
});

it("S9: nothing that was said twice is counted twice, and a slow reply goes on after a loss", async () => {
	const { redis, asker, told, listener } = await serving();
	const text = "x".repeat(300_000);
	listener.events([...EVENTS.slice(0, 2), { type: "text-delta", text }]);
	await asker.hears("events");
	await until(() => told.includes("pause"));
	// What the asker says now is lost.
	await redis.cli("flushall");
	await asker.hasRun();
	const { claim, batches } = await asker.hears("said");
	expect(batches).toBe(1);
	const passed = text.length + 3 * 64;
	await asker.say("owner", { type: "more", from: "asker", claim, characters: passed });
	await until(() => told.includes("resume"));
	// The whole of it was said again, and so nothing is under way.
	await asker.say("owner", { type: "check", from: "asker", claim, characters: passed });
	await asker.hears("said");
	listener.events([{ type: "text-delta", text: "x".repeat(200_000) }]);
	await asker.hears("events");
	expect(told).toEqual(["pause", "resume"]);
	listener.events(EVENTS.slice(-2));
	await asker.hears("events");
});

it("S9: who gives a reply that nobody waits for any more learns of it", async () => {
	const redis = await started();
	await startMember(redis, "asker");
	const owner = await startPeer(redis, "owner");
	await owner.hasRun();
	const forgotten = { from: "owner", claim: "forgotten" };
	await owner.say("asker", { ...forgotten, type: "events", at: 7, events: EVENTS.slice(2, 3) });
	expect(await owner.hears("leave")).toMatchObject({ claim: "forgotten", from: "asker" });
	// Redis may have lost that it was cancelled.
	await owner.say("asker", { ...forgotten, type: "said", batches: 7 });
	expect(await owner.hears("cancel")).toMatchObject({ claim: "forgotten", from: "asker" });
});

it("S9: a reply that stands still for a gateway that has lost its connection goes on", async () => {
	const { owner, ended, from, claim, redis } = await asking();
	const events = [...EVENTS.slice(0, 2), { type: "text-delta" as const, text: "x".repeat(100_000) }];
	await owner.say(
		"asker",
		{ type: "accepted", from, claim, reply: REPLY },
		{ type: "events", from, claim, at: 1, events },
	);
	await owner.hears("more");
	await redis.cli("client", "kill", "type", "normal", "skipme", "yes");
	expect(await ended).toMatchObject({ kind: "upstream-reset" });
	const again = await startPeer(redis, "owner");
	expect(await again.hears("leave")).toMatchObject({ claim, from: "asker" });

	const { asker, told, listener } = await serving();
	listener.events([...EVENTS.slice(0, 2), { type: "text-delta", text: "x".repeat(300_000) }]);
	await until(() => told.includes("pause"));
	await asker.say("owner", { type: "leave", from: "asker", claim: "c" });
	await until(() => told.includes("resume"));
	// It is said to the end for a request that comes again.
	listener.events(EVENTS.slice(-2));
	await asker.say("owner", { type: "check", from: "asker", claim: "c", characters: 0 });
	expect(await asker.hears("said")).toEqual({ type: "said", from: "owner", claim: "c" });
	expect(told).toEqual(["pause", "resume"]);
});

it("S9: messages are read also when the clock of the Redis was set back with the loss of its data", async () => {
	const redis = await started();
	await startMember(redis, "asker");
	const owner = await startPeer(redis, "owner");
	await owner.hasRun();
	const tomorrow = `${Date.now() + 86_400_000}-0`;
	const unknown = { type: "events" as const, from: "owner", at: 1, events: EVENTS.slice(0, 1) };
	const { client } = owner;
	await client.xadd(inboxOf("asker"), tomorrow, "m", JSON.stringify({ ...unknown, claim: "tomorrow" }));
	await owner.hears("leave");
	await redis.cli("flushall");
	await owner.hasRun();
	await until(async () => (await redis.cli("exists", "cursorwire:group:lease:asker")) === "1");
	await owner.say("asker", { ...unknown, claim: "today" });
	expect(await owner.hears("leave")).toMatchObject({ claim: "today" });
});

it("S9: a Redis whose memory is full carries no more results, and the replies that are under way", async () => {
	const { redis, asker, told, listener } = await serving();
	const other = await startMember(redis, "other");
	await redis.cli("config", "set", "maxmemory", "1");
	listener.events(EVENTS.slice(0, 3));
	await asker.hears("events");
	listener.events(EVENTS.slice(3));
	expect(await asker.hears("events")).toMatchObject({ at: 2, events: EVENTS.slice(3) });
	expect(told).toEqual([]);
	// Results that find no room are answered without their run, and whoever has it is told.
	expect(await ask(other)).toBe("no run waits for these results");
	await until(async () => (await redis.cli("get", `cursorwire:group:call:me:${CALL}`)) === "-");
});
