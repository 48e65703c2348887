import { expect, it } from "vitest";
import { ownWords } from "./own-words.ts";

it.each([
	["Run `ls`", "Run `ls`"],
	['"Run `ls`"\n', "Run `ls`"],
	['<system-reminder>\nIt\'s late, "read" this.\n</system-reminder>\nRun `ls`', "Run `ls`"],
	['<env a="b">x</env>\n\n<env>y</env>\n\nRun `ls`', "Run `ls`"],
	["<task>\nRun `ls`\n</task>", "Run `ls`"],
	["Today's date is known.\n\nRun `ls`", "Run `ls`"],
	["", ""],
])("%j is %j", (prompt, words) => expect(ownWords(prompt)).toBe(words));
