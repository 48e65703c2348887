import { expect, it } from "vitest";
import { ownWords } from "./own-words.ts";

it.each<[texts: string[], words: string]>([
	[["Run `ls`"], "Run `ls`"],
	[['"Run `ls`"\n'], "Run `ls`"],
	[['<system-reminder>\nIt\'s late, "read" this.\n</system-reminder>\nRun `ls`'], "Run `ls`"],
	[['<env a="b">x</env>\n\n<env>y</env>\n\nRun `ls`'], "Run `ls`"],
	[["<task>\nRun `ls`\n</task>", "<environment>\n# Files\n</environment>"], "Run `ls`"],
	[["Today's date is known.\n\nRun `ls`"], "Run `ls`"],
	[
		["<system-reminder>\nx\n</system-reminder>", "Run `ls`", "# Environment\n\nYou may read files.\n\nAnd run them."],
		"Run `ls`",
	],
	[[], ""],
	[["<system-reminder>x</system-reminder>"], ""],
])("%j is %j", (texts, words) => expect(ownWords(texts)).toBe(words));
