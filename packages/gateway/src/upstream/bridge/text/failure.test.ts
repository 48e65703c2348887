import { describe, expect, it } from "vitest";
import { failureOf, isRejection } from "./failure.ts";

const cause = (text: string, isError = false) => failureOf({ text, images: [], isError })?.cause;

describe("failures", () => {
	it.each([
		["Error: File not found: /w/a\n\nDid you mean /w/b?", "not-found"],
		["ENOENT: no such file or directory, open '/w/a'", "not-found"],
		["File does not exist.", "not-found"],
		["Error: EACCES: permission denied, open '/w/a'", "denied"],
		["<tool_use_error>ENOSPC: no space left on device</tool_use_error>", "no-space"],
		["Error: EISDIR: illegal operation on a directory, read", "directory"],
		["Error reading file: EBUSY: resource busy", "busy"],
		["The user doesn't want to proceed with this tool use.", "rejected"],
		["The user rejected permission to use this specific tool call.", "rejected"],
		["exec command rejected by user", "rejected"],
		["File unchanged since last read. The earlier result is still current.", "other"],
		["Failed to write the file", "other"],
	])("%j without a mark: %s", (text, expected) => expect(cause(text)).toBe(expected));

	it.each([
		"error.ts\nindex.ts",
		"Wrote 3 lines.",
		"",
		"errors are handled here\n",
		`Error: x\n${"line\n".repeat(30)}`,
	])("%j is none", (text) => expect(cause(text)).toBeUndefined());

	it("a mark makes any text a failure", () => {
		expect(cause("something", true)).toBe("other");
		expect(failureOf({ text: "", images: [], isError: true })?.text).not.toBe("");
	});
});

it("output of a command is no rejection", () => {
	expect(isRejection({ text: "test 1: access denied as expected\nok", images: [], isError: true })).toBe(false);
	expect(isRejection({ text: "User rejected the command", images: [], isError: true })).toBe(true);
});
