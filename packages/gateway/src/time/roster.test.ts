import { expect, test } from "vitest";
import { type Listed, Roster } from "./roster.ts";

class Entry implements Listed<Entry> {
	older: Entry | undefined;
	newer: Entry | undefined;
	readonly name: string;

	constructor(name: string) {
		this.name = name;
	}
}

function rosterOf(...names: string[]) {
	const roster = new Roster<Entry>();
	const entries = names.map((name) => new Entry(name));
	for (const entry of entries) roster.add(entry);
	const listed = () => Array.from(roster, ({ name }) => name).join("");
	return { roster, entries, listed };
}

test.each([
	["the oldest", [0], "bc"],
	["one in the middle", [1], "ac"],
	["the newest", [2], "ab"],
	["all but one", [1, 0], "c"],
	["all", [0, 2, 1], ""],
])("keeps the order when %s leaves", (_what, leaving, left) => {
	const { roster, entries, listed } = rosterOf("a", "b", "c");
	for (const index of leaving) roster.delete(entries[index]!);
	expect(listed()).toBe(left);
	expect(roster.size).toBe(left.length);
	roster.add(entries[leaving[0]!]!);
	expect(listed()).toBe(left + entries[leaving[0]!]!.name);
});

test("what has left refers to nothing", () => {
	const { roster, entries } = rosterOf("a", "b", "c");
	roster.delete(entries[1]!);
	expect(entries[1]).toMatchObject({ older: undefined, newer: undefined });
	expect(roster.has(entries[1]!)).toBe(false);
});

test("what is listed already, or not at all, changes nothing", () => {
	const { roster, entries, listed } = rosterOf("a", "b");
	roster.add(entries[0]!);
	roster.delete(new Entry("c"));
	expect(listed()).toBe("ab");
	expect(roster.size).toBe(2);
});
