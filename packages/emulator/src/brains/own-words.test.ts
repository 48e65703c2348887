import { expect, it } from "vitest";
import { ownWords, withoutBlocks } from "./own-words.ts";

it.each<[texts: string[], words: string]>([
	[["Run `ls`"], "Run `ls`"],
	[['"Run `ls`"\n'], "Run `ls`"],
	[['<system-reminder>\nIt\'s late, "read" this.\n</system-reminder>\nRun `ls`'], "Run `ls`"],
	[['<env a="b">x</env>\n\n<env>y</env>\n\nRun `ls`'], "Run `ls`"],
	[["<task>\nRun `ls`\n</task>", "<environment>\n# Files\n</environment>"], "Run `ls`"],
	[["<context>\nToday.\n</context>\n<userRequest>\nRun `ls`\n</userRequest>\n"], "Run `ls`"],
	[["Today's date is known.\n\nRun `ls`"], "Run `ls`"],
	[
		["<system-reminder>\nx\n</system-reminder>", "Run `ls`", "# Environment\n\nYou may read files.\n\nAnd run them."],
		"Run `ls`",
	],
	[[], ""],
	[["<system-reminder>x</system-reminder>"], ""],
])("%j is %j", (texts, words) => expect(ownWords(texts)).toBe(words));

it.each([
	["<system-reminder>\nx\n</system-reminder>\n\nSay hello\n\n<system-reminder>y</system-reminder>", "Say hello"],
	["One.\n\nTwo.", "One.\n\nTwo."],
	["<b>bold</b>", "<b>bold</b>"],
])("%j without its blocks is %j", (prompt, words) => expect(withoutBlocks(prompt)).toBe(words));
