// Gateways behind HAProxy, which sends every request to another one.
import { expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { converse, wholeText } from "./conversation.ts";
import { startGroup } from "./group.ts";

const CONVERSATIONS = 32;
const STEPS = 50;

it(`S8: ${CONVERSATIONS} conversations of ${STEPS} tools behind round robin have one run each`, async () => {
	const group = await startGroup(2, STEPS);
	const names = Array.from({ length: CONVERSATIONS }, (_, at) => `c${at}`);
	const told = await Promise.all(names.map((name) => converse(group, { name })));
	expect(told.map(({ text }) => text)).toEqual(names.map((name) => wholeText(name, STEPS)));
	expect(told.every(({ paths }) => paths.slice(1).every((path) => path === "parked"))).toBe(true);
	expect([...group.seen.runs].sort()).toEqual([...names].sort());
	expect(new Set(group.seen.answered.values())).toEqual(new Set([1]));
	expect(group.seen.answered.size).toBe(CONVERSATIONS * STEPS);
	expect([...group.seen.open.values()].every((open) => open === 0)).toBe(true);
	// Both have worked, and what they said to each other does not stay in Redis.
	const { redis } = group;
	const keys = async (pattern: string) => (await redis.cli("keys", `cursorwire:group:${pattern}`)).split("\n");
	const lengthOf = async (inbox: string) => Number(await redis.cli("xlen", inbox));
	const inboxes = await keys("inbox:*");
	expect(inboxes).toHaveLength(2);
	for (const inbox of inboxes) await until(async () => (await lengthOf(inbox)) <= 1);
	const all = await keys("*");
	const lasting = `local lasting = {} for _, key in ipairs(ARGV) do if redis.call("PTTL", key) < 0 then lasting[#lasting + 1] = key end end return lasting`;
	expect(await redis.cli("eval", lasting, "0", ...all)).toBe("");
});
