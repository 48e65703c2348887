// Gateways behind HAProxy, which sends every request to another one.
import { expect, it } from "vitest";
import { converse, wholeText } from "./conversation.ts";
import { startGroup } from "./group.ts";

it.each([
	{ conversations: 16, steps: 20 },
	{ conversations: 2, steps: 50 },
])(
	"S8: $conversations conversations of $steps tools behind round robin have one run each",
	async ({ conversations, steps }) => {
		const group = await startGroup(2, steps);
		const names = Array.from({ length: conversations }, (_, at) => `c${at}`);
		const told = await Promise.all(names.map((name) => converse(group, { name })));
		expect(told.map(({ text }) => text)).toEqual(names.map((name) => wholeText(name, steps)));
		expect(told.every(({ paths }) => paths.slice(1).every((path) => path === "parked"))).toBe(true);
		expect([...group.seen.runs].sort()).toEqual([...names].sort());
		expect(new Set(group.seen.answered.values())).toEqual(new Set([1]));
		expect(group.seen.answered.size).toBe(conversations * steps);
		expect([...group.seen.open.values()].every((open) => open === 0)).toBe(true);
	},
);
