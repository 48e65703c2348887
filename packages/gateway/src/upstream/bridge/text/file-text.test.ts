import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileTextOf } from "./file-text.ts";

const content = (text: string) => fileTextOf(text, "/w/a.ts").content;

describe("line numbers", () => {
	it.each([
		["arrows", "     1→one\n     2→\n     3→  three", "one\n\n  three\n"],
		["zero-padded bars", "<file>\n00001| one\n00002| two\n\n(End of file - total 2 lines)\n</file>", "one\ntwo\n"],
		["tight bars", "1|one\n2|two", "one\ntwo\n"],
		["wide bars", " 9 | nine\n10 | ten", "nine\nten\n"],
		["tabs", "     1\tone\n     2\ttwo", "one\ntwo\n"],
		["letters", "L1: one\nL2: two", "one\ntwo\n"],
		[
			"a wrapper with path and type",
			"<path>/w/a</path>\n<type>file</type>\n<content>\n1: one\n2: two\n\n(End of file - total 2 lines)\n</content>",
			"one\ntwo\n",
		],
		["reminders after it", "1→one\n2→two\n\n<system-reminder>\nBe kind.\n</system-reminder>\n", "one\ntwo\n"],
		["blank lines whose space was trimmed", "00001| one\n00002|\n00003| three", "one\n\nthree\n"],
		["a last line that is empty", "1→one\n2→", "one\n"],
		["one line, surely numbered", "     1→only", "only\n"],
		["text that begins with a number itself", "1|1|a\n2|2|b", "1|a\n2|b\n"],
		[
			"an editor's headline",
			"Here's the result of running `cat -n` on /w/a:\n     1\tone\n     2\ttwo\n",
			"one\ntwo\n",
		],
	])("takes off %s", (_name, shown, expected) => expect(content(shown)).toBe(expected));

	it.each([
		["not every line has one", "1: one\ntwo\n3: three\n"],
		["they do not count up", "1: one\n3: three\n"],
		["there is one line and it could be the file's own", "1: only\n"],
		["other text stands around them", "# Notes\n1: one\n2: two\n"],
		["the separators differ", "1: one\n2| two\n"],
		["the file looks like a wrapper", "<file>\n<name>x</name>\n</file>\n"],
	])("leaves them where %s", (_name, shown) => expect(content(shown)).toBe(shown));

	it("leaves numbers that begin elsewhere than the lines asked for", () => {
		expect(fileTextOf("5: a\n6: b", "a", 1).content).toBe("5: a\n6: b");
		expect(fileTextOf("5: a\n6: b", "a", 5).content).toBe("a\nb\n");
	});

	it("gives back any file that a numbering tool shows", () => {
		const line = fc.string().map((text) => text.replace(/[\r\n]/g, ""));
		const style = fc.constantFrom<(line: string, number: number) => string>(
			(text, number) => `${String(number).padStart(6)}→${text}`,
			(text, number) => `${String(number).padStart(5, "0")}| ${text}`,
			(text, number) => `${String(number).padStart(6)}\t${text}`,
		);
		fc.assert(
			fc.property(fc.array(line, { minLength: 1 }), style, (lines, show) => {
				const file = `${lines.join("\n")}\n`;
				const shown = file.split("\n").map((text, index) => show(text, index + 1));
				expect(content(shown.join("\n"))).toBe(file);
			}),
		);
	});
});

describe("what is missing", () => {
	it.each([
		["1: a\n2: b\n\n(Showing lines 1-2 of 90. Use offset=3 to continue.)", "a\nb\n", 90],
		["a\nb\n\n[Showing lines 1-2 of 90. Use offset=3 to continue.]", "a\nb", 90],
		["Showing lines 1-2 of 90 total lines.\n\n---\n\na\nb", "a\nb", 90],
		["1→a\n2→b... (line truncated to 2000 chars)", "a\nb... (line truncated to 2000 chars)\n", undefined],
	])("%j is cut", (shown, expected, totalLines) => {
		expect(fileTextOf(shown, "/w/a.ts")).toMatchObject({ content: expected, cut: true, totalLines });
	});

	it("a complete file is not cut", () => {
		expect(fileTextOf("a\n(see more lines below)\n\nb\n", "a").cut).toBe(false);
		expect(fileTextOf("<file>\n00001| a\n\n(End of file - total 1 lines)\n</file>", "a").cut).toBe(false);
	});

	it("an empty file is empty", () => {
		expect(content("<file>\n\n(End of file - total 0 lines)\n</file>")).toBe("");
		expect(content("")).toBe("");
		const remark = "<system-reminder>Warning: the file exists but the contents are empty.</system-reminder>";
		expect(fileTextOf(remark, "a")).toMatchObject({ content: "", cut: false });
	});
});

it("a remark in place of the file is not the file", () => {
	expect(fileTextOf("<system-reminder>Not shown.</system-reminder>", "a")).toMatchObject({ content: "", cut: true });
});

it("takes off a headline that names the file, and no other", () => {
	expect(content("Content of /w/a.ts:\none\n")).toBe("one\n");
	expect(content("Content of b.ts:\none\n")).toBe("Content of b.ts:\none\n");
});
