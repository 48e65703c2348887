import { expect, it } from "vitest";
import { EventReader, isRepeated } from "./events.ts";

const TEXT = ': hello\n\nid: g-1\nevent: snapshot\ndata: {"a":\ndata: 1}\n\nid: g-2\nevent: change\ndata: {}\n\n';

it.each([1, 2, 7, 1000])("reads events from pieces of %i characters", (size) => {
	const reader = new EventReader();
	const pieces = TEXT.match(new RegExp(`[^]{1,${size}}`, "g"))!;
	expect(pieces.flatMap((piece) => reader.read(piece))).toEqual([
		{ id: "g-1", type: "snapshot", data: '{"a":\n1}' },
		{ id: "g-2", type: "change", data: "{}" },
	]);
});

it.each([
	["g1-4", "g1-4", true],
	["g1-9", "g1-10", true],
	["g1-11", "g1-10", false],
	["g2-1", "g1-10", false],
	["7", "8", true],
	[undefined, "8", false],
	["8", undefined, false],
])("knows whether %s came before %s", (id, last, isOld) => {
	expect(isRepeated(id, last)).toBe(isOld);
});
