import { describe, expect, it } from "vitest";
import { processIdIn, shellIdIn, shellOutputOf } from "./shell-output.ts";

const output = (text: string, isError = false) => shellOutputOf({ text, images: [], isError });

describe("exit codes", () => {
	it.each([
		["exit code: 1", 1],
		["Exit code 2\nboom", 2],
		["out\n\nCommand exited with code 3", 3],
		["out\nProcess exited with code 127", 127],
		["out\nCommand failed with exit code 4", 4],
		["out\n<exited with exit code 5>", 5],
		["out\n<command with id: a1 completed with exit code 0>", 0],
		["Command: x\nDirectory: (root)\nOutput: y\nError: (none)\nExit Code: -1\nSignal: (none)", -1],
		["status 200", 0],
		["the code is 7", 0],
		["", 0],
	])("%j: %i", (text, exitCode) => expect(output(text).exitCode).toBe(exitCode));

	it("an error without a code is 1", () => expect(output("boom", true).exitCode).toBe(1));

	it("a printed line in the middle of much output is not the command's end", () => {
		const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
		lines[10] = "exit code: 9";
		expect(output(lines.join("\n")).exitCode).toBe(0);
	});
});

it("takes a structured answer apart", () => {
	expect(output('{"stdout":"a","stderr":"b","exit_code":2}')).toEqual({
		stdout: "a",
		stderr: "b",
		exitCode: 2,
		timedOut: false,
	});
	expect(output('{"output":"a","metadata":{"exit_code":3,"duration_seconds":0.1}}')).toMatchObject({
		stdout: "a",
		exitCode: 3,
	});
	expect(output('{"output":"a file of the project"}').stdout).toBe('{"output":"a file of the project"}');
});

it("takes a header off", () => {
	const text =
		"Chunk ID: 0a1b\nWall time: 0.0 seconds\nProcess exited with code 6\nOriginal token count: 2\nOutput:\nhello\n";
	expect(output(text)).toMatchObject({ stdout: "hello\n", exitCode: 6 });
});

it("knows a time-out", () => {
	expect(output("Command timed out after 10 seconds", true)).toMatchObject({ timedOut: true, exitCode: 1 });
	expect(output("the query timed out", false).timedOut).toBe(false);
});

it("finds ids", () => {
	expect(shellIdIn("Command running in background with ID: bash_3")).toBe(3);
	expect(shellIdIn("started")).toBe(0);
	expect(processIdIn("Background PIDs: 4711")).toBe(4711);
	expect(processIdIn("started")).toBeUndefined();
});
