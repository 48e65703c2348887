// A gateway reads what another one said before it left, also when it finds out first that the other one is gone.
import { expect, it, onTestFinished } from "vitest";
import { GatewayGroup } from "../../src/group/gateway-group.ts";
import { decodeMessage, encodeMessage, type GroupMessage } from "../../src/group/messages.ts";
import type { GroupMember, GroupQuestion, OwnersReply } from "../../src/sessions/run-group.ts";
import { NOBODY_WAITS } from "../../src/sessions/rung-reason.ts";
import { inboxOf, LEAVE, REGISTER, RENEW } from "../../src/store/redis/group-scripts.ts";
import { connect, runOn } from "../../src/store/redis/link.ts";
import { TurnCollector } from "../../src/turn/collect.ts";
import type { TurnEvent } from "../../src/turn/event.ts";
import { startRedis } from "../store/redis-server.ts";

const CALL = `call_${"0".repeat(32)}`;
const QUESTION: GroupQuestion = {
	caller: "me",
	model: "composer-1",
	tools: "",
	trailing: { results: [], userParts: [] },
	given: { hashes: new Map([[CALL, "hash"]]), frame: "", said: "" },
};
const REPLY: OwnersReply = {
	reason: "results of open calls",
	session: "s",
	model: { name: "composer-1", description: "composer-1" },
	warnings: [],
	precedesResults: false,
};
const EVENTS: TurnEvent[] = [
	{ type: "turn-start", runId: "run", model: "composer-1", path: "parked" },
	{ type: "text-start" },
	{ type: "text-delta", text: "all of it" },
	{ type: "text-end" },
	{ type: "turn-end", reason: "stop" },
];
const NOBODY: GroupMember = {
	answer: () => NOBODY_WAITS,
	keep() {},
	giveUp() {},
	taken() {},
	*knownRuns() {},
};

it("S9: a reply that was complete before its gateway left reaches the client", async () => {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	let now = 0;
	// Nothing is renewed by itself.
	const clock = { now: () => now, after: () => () => {} };
	const options = { url: redis.url, clock, time: () => now, newId: () => "asker", runTtlMs: 60_000, warn() {} };
	const group = new GatewayGroup(options, NOBODY);
	await group.start();
	onTestFinished(() => group.close());
	const { client } = await connect({ url: redis.url });
	onTestFinished(() => client.disconnect());
	await runOn(client, RENEW, ["owner", 60_000, "0"]);
	await runOn(client, REGISTER, ["owner", "run", 60_000, "me", CALL]);

	const collector = new TurnCollector();
	const whole = new Promise<void>((resolve, reject) => {
		const events = (batch: readonly TurnEvent[]) => {
			for (const event of batch) collector.add(event);
			if (batch.at(-1)?.type === "turn-end") resolve();
		};
		const turn = group.ask(QUESTION, { events, failed: reject }, () => "key");
		turn.then((opened) => typeof opened === "string" && reject(new Error(opened)), reject);
	});
	const question = await firstIn(inboxOf("owner"));
	const { claim } = question;
	// A gateway that is not sure of its own lease renews it before it answers a question, and learns that this one left.
	now += 60_000;
	const said: GroupMessage[] = [
		{ ...question, from: "third", claim: "another" } as GroupMessage,
		{ type: "accepted", from: "owner", claim, reply: REPLY },
		{ type: "events", from: "owner", claim, events: EVENTS },
	];
	const last = client.multi();
	for (const message of said) last.xadd(inboxOf("asker"), "*", "m", encodeMessage(message));
	await last.eval(LEAVE.lua, 0, "owner", "0").exec();
	await whole;
	expect(collector.turn.content).toEqual([{ type: "text", text: "all of it" }]);

	async function firstIn(inbox: string): Promise<GroupMessage> {
		for (;;) {
			const [entry] = await client.xrange(inbox, "-", "+");
			if (entry) return decodeMessage(entry[1][1]!);
		}
	}
});
