import { describe, expect, it } from "vitest";
import { listedFiles } from "./file-list.ts";
import { foundNothing, searchOutputOf } from "./matches.ts";

const lines = (text: string) =>
	[...searchOutputOf(text, "content").lines].flatMap(([file, found]) =>
		found.map(({ line, text: shown, around }) => `${file}:${line}${around ? "-" : ":"}${shown}`),
	);

describe("lines", () => {
	it.each([
		["path:line:text", "a.ts:1:x: y\nsrc/b.ts:20:z", ["a.ts:1:x: y", "src/b.ts:20:z"]],
		[
			"with lines around",
			"a.ts-1-before\na.ts:2:hit\na.ts-3-after\n--\nb.ts:1:hit",
			["a.ts:2:hit", "a.ts:3-after", "b.ts:1:hit"],
		],
		[
			"blocks with `Line n:`",
			"Found 2 matches\n/w/a.ts:\n  Line 1: x\n  Line 9: y\n\n/w/Makefile:\n  Line 2: z",
			["/w/a.ts:1:x", "/w/a.ts:9:y", "/w/Makefile:2:z"],
		],
		["blocks with `Ln:`", 'Found 1 match for pattern "x":\n---\nFile: a.ts\nL3: x\n---', ["a.ts:3:x"]],
		[
			"blocks as ripgrep prints them",
			"src/a.ts\n1:x\n2-y\n\nsrc/b.ts\n4:z",
			["src/a.ts:1:x", "src/a.ts:2-y", "src/b.ts:4:z"],
		],
		["drive letters", "C:\\w\\a.ts:5:x", ["C:\\w\\a.ts:5:x"]],
	])("%s", (_name, text, expected) => expect(lines(text)).toEqual(expected));

	it("keeps what it cannot read", () => {
		const output = searchOutputOf("a.ts:1:x\nsome words about it, and more", "content");
		expect(output.rest).toEqual(["some words about it, and more"]);
	});

	it("sees that more was found", () => {
		expect(searchOutputOf("a.ts:1:x\n\n(Results truncated. Use a longer pattern.)", "content").cut).toBe(true);
	});
});

it("reads counts", () => {
	const { counts } = searchOutputOf("a.ts:3\nsrc/b.ts:1\n\nFound 4 total occurrences across 2 files.", "count");
	expect([...counts]).toEqual([
		["a.ts", 3],
		["src/b.ts", 1],
	]);
});

it("reads lists of files", () => {
	expect(searchOutputOf("Found 2 files\n/w/a.ts\n/w/Makefile", "files").files).toEqual(["/w/a.ts", "/w/Makefile"]);
	expect(listedFiles("Found 2 file(s) matching x:\n---\n/w/a.ts\n/w/b c.ts\n")).toEqual(["/w/a.ts", "/w/b c.ts"]);
	expect(listedFiles('["a.ts","b.ts"]')).toEqual(["a.ts", "b.ts"]);
	expect(listedFiles('{"filenames":["a.ts"],"numFiles":1}')).toEqual(["a.ts"]);
	expect(listedFiles("- a.ts\n- b.ts\n(Results are truncated.)")).toEqual(["a.ts", "b.ts"]);
});

it.each(["", "No files found", 'No matches found for pattern "x".', "Found 0 matches", "Error: No matches found"])(
	"%j is nothing",
	(text) => {
		expect(foundNothing(text)).toBe(true);
		expect(listedFiles(text)).toEqual([]);
	},
);
