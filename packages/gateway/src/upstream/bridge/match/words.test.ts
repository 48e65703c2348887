import { expect, it } from "vitest";
import { compactName, wordsOf } from "./words.ts";

it.each([
	["run_shellCommand", ["run", "shell", "command"]],
	["mcp__filesystem__read-file", ["mcp", "filesystem", "read", "file"]],
	["WebFetch", ["web", "fetch"]],
	["LSTool", ["ls", "tool"]],
	["", []],
])("%s", (name, words) => expect(wordsOf(name)).toEqual(words));

it.each([
	["file_path", "filepath"],
	["filePath", "filepath"],
	["file-path", "filepath"],
	["-A", "-a"],
	["A", "a"],
])("compact %s", (name, compact) => expect(compactName(name)).toBe(compact));
