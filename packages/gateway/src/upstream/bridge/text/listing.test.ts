import { expect, it } from "vitest";
import { directoryTree } from "./directory-tree.ts";
import { listedEntries } from "./listing.ts";

const shown = (text: string, root = "/w") =>
	listedEntries(text, root).map(({ path, directory }) => path.join("/") + (directory ? "/" : ""));

it.each([
	["lines", "src/\na.ts\nMakefile", ["src/", "a.ts", "Makefile"]],
	["a bullet tree under its root", "- /w/\n  - src/\n    - b.ts\n  - a.ts\n", ["src/", "src/b.ts", "a.ts"]],
	["an indented tree under another root", "/home/me/w/\n  src/\n    b.ts\n  a.ts", ["src/", "src/b.ts", "a.ts"]],
	["a drawn tree", ".\n├── src/\n│   └── b.ts\n└── a.ts\n\n1 directory, 2 files", ["src/", "src/b.ts", "a.ts"]],
	["marks", "Listed 2 item(s) in /w:\n---\n[DIR] src\na.ts\n\n(3 git-ignored)", ["src/", "a.ts"]],
	["notes", "Files in /w:\nsrc (directory)\na.ts (file, 12 bytes)", ["src/", "a.ts"]],
	["line counts", "src/\n  b.ts [120]\na.ts [1.2k]", ["src/", "src/b.ts", "a.ts"]],
	[
		"a wrapper",
		"<path>/w</path>\n<type>directory</type>\n<entries>\nsrc/\na b.ts\n\n(2 entries)\n</entries>",
		["src/", "a b.ts"],
	],
	[
		"long form",
		"total 8\ndrwxr-xr-x 2 me me 4096 Jan  1 10:00 src\n-rw-r--r-- 1 me me   12 Jan  1 10:00 a b.ts\nlrwxrwxrwx 1 me me 3 Jan  1 10:00 l -> a",
		["src/", "a b.ts", "l"],
	],
	["a JSON list", '["src/", "/w/a.ts"]', ["src/", "a.ts"]],
	[
		"JSON objects",
		'{"entries":[{"name":"src","type":"directory"},{"path":"/w/a.ts","type":"file"}]}',
		["src/", "a.ts"],
	],
	["absolute paths", "/w/src/b.ts\n/w/a.ts", ["src/b.ts", "a.ts"]],
	["nothing", "Directory /w is empty.", []],
	["an empty text", "", []],
	["names that look like headlines", "Contents.json\nFiles\nFound", ["Contents.json", "Files", "Found"]],
])("%s", (_name, text, entries) => expect(shown(text)).toEqual(entries));

it("makes a tree of them", () => {
	expect(directoryTree("/w/", listedEntries("src/b.ts\nsrc/\nempty/\na.ts", "/w/"))).toEqual({
		absPath: "/w",
		childrenWereProcessed: true,
		numFiles: 1,
		childrenFiles: [{ name: "a.ts" }],
		childrenDirs: [
			{
				absPath: "/w/src",
				childrenWereProcessed: true,
				numFiles: 1,
				childrenFiles: [{ name: "b.ts" }],
				childrenDirs: [],
			},
			{ absPath: "/w/empty", childrenWereProcessed: false, numFiles: 0, childrenFiles: [], childrenDirs: [] },
		],
	});
});
