// What happens to conversations when a part of the group is killed, stands still or is restarted.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { ask, type Message, result, tool, user } from "../kit/dialects/handmade-chat.ts";
import { converse, type Told, wholeText } from "./conversation.ts";
import { startGroup, type TestGroup } from "./group.ts";

const STEPS = 50;
/** Longer than anything that a gateway waits for from Redis. */
const STANDSTILL_MS = 11_000;
/** What Node's fetch says when it has written a request. */
const SENT = "undici:request:bodySent";

/** Conversations under way, and a moment in which all of them have sent so many results. */
function talk(group: TestGroup, count: number, isPatient: boolean, steps = STEPS) {
	const names = Array.from({ length: count }, (_, at) => `c${at}`);
	const sent = new Map<string, number>();
	const waiting: { results: number; reached: () => void }[] = [];
	const least = () => (sent.size === count ? Math.min(...sent.values()) : 0);
	const stepped = (name: string) => (results: number) => {
		sent.set(name, results);
		for (const { results, reached } of waiting) if (least() >= results) reached();
	};
	const told = Promise.all(names.map((name) => converse(group, { name, isPatient, stepped: stepped(name) })));
	// What goes wrong shows where the test waits for it, which may be much later.
	told.catch(() => {});
	const allSent = (results: number) =>
		new Promise<void>((reached) => {
			if (least() >= results) reached();
			else waiting.push({ results, reached });
		});
	return { names, told, allSent, texts: names.map((name) => wholeText(name, steps)) };
}

const texts = (told: readonly Told[]) => told.map(({ text }) => text);

/** Resolves when no stream is open upstream and no conversation has a run. */
async function nothingLeftOpen({ seen, emulator }: TestGroup): Promise<void> {
	while (emulator.stats().exchanges.open > 0 || [...seen.open.values()].some((open) => open > 0)) {
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
}

/** Resolves when the next request of this process is in its socket, whether or not anybody reads it there. */
function sent(): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			unsubscribe(SENT, done);
			resolve();
		};
		subscribe(SENT, done);
	});
}

async function killed(gateway: TestGroup["gateways"][number]): Promise<void> {
	gateway.program.child.kill("SIGKILL");
	await gateway.program.ended;
}

it("S9: every conversation ends right when a gateway and then the Redis are killed, and both come back", async () => {
	const group = await startGroup(2, STEPS, ["--appendonly", "yes"]);
	const { told, texts: expected, allSent } = talk(group, 32, true);
	await allSent(12);
	await killed(group.gateways[0]!);
	await allSent(24);
	await group.redis.kill();
	await allSent(32);
	await group.redis.restart();
	await group.startAgain(0);
	expect(texts(await told)).toEqual(expected);
	// A result came into one waiting run at most; every other run found it in its history.
	expect([...group.seen.answered.values()].every((times) => times === 1)).toBe(true);
	await nothingLeftOpen(group);
});

it("S9: a gateway that stands still with a question before it is passed over, and resets its run when it wakes", async () => {
	const group = await startGroup(2, 2);
	const [one, other] = group.gateways as [TestGroup["gateways"][0], TestGroup["gateways"][0]];
	const messages: Message[] = [user("c0")];
	const tools = [tool("step")];
	const first = await ask({ ...one, key: group.key }, messages, { tools });
	messages.push(first.message, result(first.calls[0]!, "c0-r1"));
	one.program.child.kill("SIGSTOP");
	const wakes = sleep(STANDSTILL_MS);
	const second = await ask({ ...other, key: group.key }, messages, { tools });
	expect(second).toMatchObject({ status: 200, path: "rebuild" });
	messages.push(second.message, result(second.calls[0]!, "c0-r2"));
	expect(await ask({ ...other, key: group.key }, messages, { tools })).toMatchObject({
		path: "parked",
		text: "c0-r1 c0-r2",
	});
	expect(group.seen.open.get("c0")).toBe(1);
	await wakes;
	// The same results wait for it in its socket too, and its run is not the one that they belong to any more.
	const again = messages.slice(0, 3);
	const handedOver = sent();
	const late = ask({ ...one, key: group.key }, again, { tools });
	await handedOver;
	one.program.child.kill("SIGCONT");
	const { path, message, calls } = await late;
	expect(path).toBe("rebuild");
	again.push(message, result(calls[0]!, "late"));
	expect(await ask({ ...one, key: group.key }, again, { tools })).toMatchObject({ text: "c0-r1 late" });
	await nothingLeftOpen(group);
	// The question was still in its inbox, and the result went into no run that was taken from it.
	const answered = new Map([
		["c0-r2", 1],
		["late", 1],
	]);
	expect(group.seen.answered).toEqual(answered);
	expect(group.seen.runs).toEqual(["c0", "c0", "c0"]);
	// It takes part again.
	expect(await ask({ ...one, key: group.key }, messages.slice(0, 1), { tools })).toMatchObject({
		status: 200,
		finish: "tool_calls",
	});
});

it("S9: four gateways are restarted one after the other under load, and no client notices", async () => {
	const group = await startGroup(4, 60);
	const { told, texts: expected, allSent } = talk(group, 8, false, 60);
	await allSent(2);
	for (const at of group.gateways.keys()) {
		const { child } = group.gateways[at]!.program;
		const ended = once(child, "exit");
		child.kill("SIGTERM");
		await ended;
		await group.startAgain(at);
	}
	expect(texts(await told)).toEqual(expected);
	await nothingLeftOpen(group);
});
