// A gateway reads what another one said before it left, also when it finds out first that the other one is gone.
import { expect, it, onTestFinished } from "vitest";
import { startRedis } from "../store/redis-server.ts";
import { ask, EVENTS, REPLY, startMember, startPeer } from "./peer.ts";

it("S9: a reply that was complete before its gateway left reaches the client", async () => {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	let now = 0;
	// Nothing is renewed by itself.
	const clock = { now: () => now, after: () => () => {} };
	const group = await startMember(redis, "asker", { clock, time: () => now });
	const owner = await startPeer(redis, "owner");
	await owner.hasRun();
	const whole = ask(group);
	const question = await owner.hears("question");
	const { claim } = question;
	// A gateway that is not sure of its own lease renews it before it answers a question, and learns that this one left.
	now += 60_000;
	await owner.sayLast(
		"asker",
		{ ...question, from: "third", claim: "another" },
		{ type: "accepted", from: "owner", claim, reply: REPLY },
		{ type: "events", from: "owner", claim, at: 1, events: EVENTS },
	);
	expect(await whole).toMatchObject({ content: [{ type: "text", text: "all of it" }] });
});
