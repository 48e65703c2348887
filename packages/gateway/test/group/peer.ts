// A gateway of a group, played by a test: it says what the test wants it to say, and reads what it is told.
import { onTestFinished } from "vitest";
import { GatewayGroup } from "../../src/group/gateway-group.ts";
import { decodeMessage, encodeMessage, type GroupMessage } from "../../src/group/messages.ts";
import type { GroupMember, GroupQuestion, OwnersReply } from "../../src/sessions/run-group.ts";
import { NOBODY_WAITS } from "../../src/sessions/rung-reason.ts";
import { inboxOf, LEAVE, REGISTER, RENEW } from "../../src/store/redis/group-scripts.ts";
import { connect, runOn } from "../../src/store/redis/link.ts";
import { type Clock, systemClock } from "../../src/time/clock.ts";
import { TurnCollector } from "../../src/turn/collect.ts";
import type { GatewayError } from "../../src/turn/error.ts";
import type { TurnEvent } from "../../src/turn/event.ts";
import type { TestRedis } from "../store/redis-server.ts";

export const CALL = `call_${"0".repeat(32)}`;
export const QUESTION: GroupQuestion = {
	caller: "me",
	model: "composer-1",
	tools: "",
	trailing: { results: [], userParts: [] },
	given: { hashes: new Map([[CALL, "hash"]]), frame: "", said: "" },
};
export const REPLY: OwnersReply = {
	reason: "results of open calls",
	session: "s",
	model: { name: "composer-1", description: "composer-1" },
	warnings: [],
	precedesResults: false,
};
export const EVENTS: TurnEvent[] = [
	{ type: "turn-start", runId: "run", model: "composer-1", path: "parked" },
	{ type: "text-start" },
	{ type: "text-delta", text: "all of it" },
	{ type: "text-end" },
	{ type: "turn-end", reason: "stop" },
];
export const NOBODY: GroupMember = {
	answer: () => NOBODY_WAITS,
	keep() {},
	giveUp() {},
	taken() {},
	*knownRuns() {},
};

/** The gateway that is tested, with what its clients are told. */
export async function startMember(
	{ url }: TestRedis,
	id: string,
	{
		member = NOBODY,
		clock = systemClock,
		time = Date.now,
	}: { member?: GroupMember; clock?: Clock; time?(): number } = {},
): Promise<GatewayGroup> {
	const group = new GatewayGroup({ url, clock, time, newId: () => id, runTtlMs: 60_000, warn() {} }, member);
	await group.start();
	onTestFinished(() => group.close());
	return group;
}

/** Asks for the run that waits for `CALL`: how that ends. */
export async function ask(group: GatewayGroup): Promise<string | GatewayError | TurnCollector["turn"]> {
	const collector = new TurnCollector();
	let end: (how: TurnCollector["turn"] | GatewayError) => void = () => {};
	const ended = new Promise<TurnCollector["turn"] | GatewayError>((resolve) => {
		end = resolve;
	});
	const events = (batch: readonly TurnEvent[]) => {
		for (const event of batch) collector.add(event);
		if (batch.at(-1)?.type === "turn-end") end(collector.turn);
	};
	const turn = await group.ask(QUESTION, { events, failed: end }, () => "key");
	return typeof turn === "string" ? turn : ended;
}

export async function startPeer({ url }: TestRedis, id: string) {
	const { client } = await connect({ url });
	onTestFinished(() => client.disconnect());
	const heard: GroupMessage[] = [];
	const said = (to: string, messages: readonly GroupMessage[]) => {
		const all = client.multi();
		for (const message of messages) all.xadd(inboxOf(to), "*", "m", encodeMessage(message));
		return all;
	};
	return {
		client,
		/** Its lease holds, and a run of its own waits for `CALL`. */
		async hasRun() {
			await runOn(client, RENEW, [id, 60_000, "0"]);
			await runOn(client, REGISTER, [id, "run", 60_000, "me", CALL]);
		},
		/** All at once. */
		async say(to: string, ...messages: readonly GroupMessage[]) {
			await said(to, messages).exec();
		},
		/** Says this and leaves, all at once. */
		async sayLast(to: string, ...messages: readonly GroupMessage[]) {
			await said(to, messages).eval(LEAVE.lua, 0, id, "0").exec();
		},
		/** The first message of this type that comes from now on. */
		async hears<T extends GroupMessage["type"]>(type: T): Promise<Extract<GroupMessage, { type: T }>> {
			for (;;) {
				for (const [at, [, message]] of await client.xrange(inboxOf(id), "-", "+")) {
					await client.xdel(inboxOf(id), at);
					heard.push(decodeMessage(message!));
				}
				const at = heard.findIndex((message) => message.type === type);
				if (at >= 0) return heard.splice(0, at + 1).at(-1) as Extract<GroupMessage, { type: T }>;
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
	};
}
