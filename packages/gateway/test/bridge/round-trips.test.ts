import { ShellAbortReason, TimeoutBehavior } from "@cursorwire/protocol/agent";
import { describe, expect, it } from "vitest";
import { answersOf, callOf, type ExecInit, resultOf } from "./bridging.ts";
import { CLIENTS, tool } from "./client-tools.ts";

const { opencode, claudeCode, cline, clineClassic, codex, continueCli, pi, qwen } = CLIENTS;

describe("shell", () => {
	const shell: ExecInit = { case: "shellArgs", value: { command: "make" } };

	it("success and failure by the exit code", () => {
		expect(resultOf(shell, pi, { text: "done\n" })).toMatchObject({
			case: "success",
			value: { command: "make", stdout: "done\n", exitCode: 0 },
		});
		expect(resultOf(shell, pi, { text: "no\n\nCommand exited with code 2", isError: true })).toMatchObject({
			case: "failure",
			value: { exitCode: 2 },
		});
		expect(resultOf(shell, codex, { text: "Exit code: 3\nWall time: 0.1 seconds\nOutput:\nboom" })).toMatchObject({
			case: "failure",
			value: { exitCode: 3, stdout: "boom" },
		});
	});

	it("a refusal of the user, and a time-out", () => {
		const text = "The user doesn't want to proceed with this tool use.";
		expect(resultOf(shell, claudeCode, { text, isError: true })).toMatchObject({
			case: "rejected",
			value: { command: "make", reason: text },
		});
		expect(resultOf(shell, pi, { text: "x\n\nCommand timed out after 10 seconds", isError: true })).toMatchObject({
			case: "failure",
			value: { aborted: true, abortReason: ShellAbortReason.TIMEOUT },
		});
	});

	it("a batch of one", () => {
		const text = JSON.stringify([{ query: "make", result: "", error: "Command failed: exit code 1", success: false }]);
		expect(resultOf(shell, cline, { text })).toMatchObject({
			case: "failure",
			value: { exitCode: 1, stdout: "Command failed: exit code 1" },
		});
		const good = JSON.stringify([{ query: "make", result: "done", success: true }]);
		expect(resultOf(shell, cline, { text: good })).toMatchObject({ case: "success", value: { stdout: "done" } });
	});

	it("streams as start, stdout and exit", () => {
		const stream: ExecInit = { case: "shellStreamArgs", value: { command: "make" } };
		const events = (outcome: { text: string; isError?: boolean }) =>
			answersOf(stream, pi, outcome).map(({ case: kind, value }) => {
				expect(kind).toBe("shellStream");
				return (value as { event: unknown }).event;
			});
		expect(events({ text: "ä\n\nCommand exited with code 2", isError: true })).toMatchObject([
			{ case: "start" },
			{ case: "stdout", value: { data: new TextEncoder().encode("ä\n\nCommand exited with code 2") } },
			{ case: "exit", value: { code: 2 } },
		]);
		expect(events({ text: "" })).toMatchObject([{ case: "start" }, { case: "exit", value: { code: 0 } }]);
		expect(events({ text: "exit code: -1" }).at(-1)).toMatchObject({ case: "exit", value: { code: 4294967295 } });
		expect(events({ text: "User rejected the command", isError: true })).toMatchObject([{ case: "rejected" }]);
	});

	it("left running", () => {
		const outcome = { text: "Command running in background with ID: bash_7" };
		const stream: ExecInit = { case: "shellStreamArgs", value: { command: "make", isBackground: true } };
		expect(answersOf(stream, claudeCode, outcome).at(-1)).toMatchObject({
			value: { event: { case: "backgrounded", value: { shellId: 7, command: "make" } } },
		});
		const spawn: ExecInit = { case: "backgroundShellSpawnArgs", value: { command: "make" } };
		expect(resultOf(spawn, claudeCode, outcome)).toMatchObject({ case: "success", value: { shellId: 7 } });
		expect(resultOf(spawn, claudeCode, { text: "boom", isError: true })).toMatchObject({ case: "error" });
	});

	it("a time after which the command moves to the background is none to kill it at", () => {
		const timeoutBehavior = TimeoutBehavior.BACKGROUND;
		const value = { command: "make", timeout: 30_000, timeoutBehavior };
		expect(callOf({ case: "shellArgs", value }, claudeCode).arguments).toEqual({ command: "make" });
		const hard = { ...value, hardTimeout: 900_000 };
		expect(callOf({ case: "shellArgs", value: hard }, qwen).arguments).toMatchObject({ timeout: 600_000 });
	});

	it("the other families", () => {
		expect(resultOf({ case: "piBashArgs", value: { command: "make" } }, pi, { text: "ok" })).toMatchObject({
			case: "success",
			value: { output: "ok" },
		});
		expect(
			resultOf({ case: "piBashArgs", value: { command: "make" } }, pi, { text: "no", isError: true }),
		).toMatchObject({
			case: "error",
			value: { error: "no" },
		});
		const [mini] = answersOf({ case: "miniSweAgentBashArgs", value: { command: "make" } }, pi, { text: "ok" });
		expect(mini).toMatchObject({ case: "miniSweAgentBashResult", value: { result: { case: "success" } } });
	});
});

describe("read", () => {
	const read: ExecInit = { case: "readArgs", value: { path: "/w/a.ts" } };

	it("gives the file itself", () => {
		const text =
			"<path>/w/a.ts</path>\n<type>file</type>\n<content>\n1: ä\n2: b\n\n(End of file - total 2 lines)\n</content>";
		expect(resultOf(read, opencode, { text })).toMatchObject({
			case: "success",
			value: {
				path: "/w/a.ts",
				output: { case: "content", value: "ä\nb\n" },
				totalLines: 3,
				fileSize: 5n,
				truncated: false,
				rangeApplied: false,
			},
		});
	});

	it("an edit, which is a read and a write of the whole, changes nothing else", () => {
		const file = "one\n  two\n\nthree\n";
		const shown = file.split("\n").map((line, index) => `${String(index + 1).padStart(6)}→${line}`);
		const result = resultOf(read, claudeCode, { text: shown.join("\n") });
		const { value: content } = result.value.output as { value: string };
		const write: ExecInit = { case: "writeArgs", value: { path: "/w/a.ts", fileText: content.replace("two", "2") } };
		expect(callOf(write, claudeCode).arguments).toEqual({ file_path: "/w/a.ts", content: "one\n  2\n\nthree\n" });
	});

	it.each([
		["a cut", "1→a\n2→b\n\n(Showing lines 1-2 of 90. Use offset=3 to continue.)"],
		["a cut line", `1→a\n2→${"b".repeat(9)}... (line truncated to 2000 chars)`],
		["a placeholder", "File unchanged since last read. The content from the earlier Read is still current."],
	])("%s never passes for the whole file", (_name, text) => {
		expect(resultOf(read, claudeCode, { text }).case).toBe("error");
	});

	it("lines that the client cut out", () => {
		const value = { path: "/w/a.ts", offset: 10, limit: 2 };
		const text = "10→j\n11→k\n\n(Showing lines 10-11 of 90. Use offset=12 to continue.)";
		expect(resultOf({ case: "readArgs", value }, claudeCode, { text })).toMatchObject({
			case: "success",
			value: { output: { value: "j\nk\n" }, totalLines: 90, rangeApplied: true, truncated: false },
		});
	});

	it("a range far beyond the end", () => {
		const value = { path: "/w/a.ts", offset: 2 ** 31 - 1, limit: 2 ** 32 - 1 };
		expect(resultOf({ case: "readArgs", value }, pi, { text: "a\nb" })).toMatchObject({
			case: "success",
			value: { totalLines: 2 ** 31 - 1 },
		});
	});

	it("lines of a client that shows whole files", () => {
		const text = "Content of /w/a.ts:\na\nb\nc\nd\n";
		const lines = (value: { offset?: number; limit?: number }) =>
			resultOf({ case: "readArgs", value: { path: "/w/a.ts", ...value } }, continueCli, { text }).value;
		expect(lines({ offset: 2, limit: 2 })).toMatchObject({ output: { value: "b\nc" }, rangeApplied: true });
		expect(lines({ offset: -2 })).toMatchObject({ output: { value: "c\nd\n" } });
		expect(lines({ offset: 2 ** 31 - 1 })).toMatchObject({ output: { value: "" }, totalLines: 5 });
		expect(lines({ limit: 1 })).toMatchObject({ output: { value: "a" }, totalLines: 5 });
	});

	it("an image", () => {
		const images = [{ mediaType: "image/png", data: new Uint8Array([1, 2]) }];
		expect(resultOf(read, claudeCode, { text: "Read image", images })).toMatchObject({
			case: "success",
			value: { output: { case: "data", value: new Uint8Array([1, 2]) }, fileSize: 2n },
		});
	});

	it.each([
		["Error: File not found: /w/a.ts", "fileNotFound"],
		["EACCES: permission denied", "permissionDenied"],
		["EISDIR: illegal operation on a directory", "invalidFile"],
		["The user rejected permission to use this tool", "rejected"],
		["boom", "error"],
	])("%s", (text, kind) => expect(resultOf(read, opencode, { text, isError: true }).case).toBe(kind));

	it("pi's own", () => {
		const piRead: ExecInit = { case: "piReadArgs", value: { path: "a" } };
		expect(resultOf(piRead, pi, { text: "a\nb" })).toMatchObject({ case: "success", value: { output: "a\nb" } });
		const cut = "a\nb\n\n[Showing lines 1-2 of 90. Use offset=3 to continue.]";
		expect(resultOf(piRead, pi, { text: cut })).toMatchObject({
			value: { output: "a\nb", truncation: { truncated: true, totalLines: 90 } },
		});
		expect(resultOf(piRead, pi, { text: "ENOENT", isError: true }).case).toBe("error");
	});
});

describe("write and delete", () => {
	const write: ExecInit = {
		case: "writeArgs",
		value: { path: "/w/a", fileText: "ä\nb\n", returnFileContentAfterWrite: true },
	};

	it("counts what was written", () => {
		expect(resultOf(write, pi, { text: "Wrote it" })).toMatchObject({
			case: "success",
			value: { path: "/w/a", linesCreated: 3, fileSize: 5, fileContentAfterWrite: "ä\nb\n" },
		});
	});

	it.each([
		["EACCES: permission denied", "permissionDenied"],
		["ENOSPC: no space left on device", "noSpace"],
		["User rejected the edit", "rejected"],
		["You must read the file first", "error"],
	])("%s", (text, kind) => expect(resultOf(write, pi, { text, isError: true }).case).toBe(kind));

	it("bytes that are text, and bytes that are not", () => {
		const fileBytes = new TextEncoder().encode("\uFEFFä");
		const text: ExecInit = { case: "writeArgs", value: { path: "/w/a", fileBytes } };
		expect(callOf(text, pi).arguments).toEqual({ path: "/w/a", content: "\uFEFFä" });
		const binary: ExecInit = { case: "writeArgs", value: { path: "/w/a", fileBytes: new Uint8Array([255, 0]) } };
		expect(resultOf(binary, pi)).toMatchObject({
			case: "rejected",
			value: { reason: expect.stringContaining('"write"') },
		});
	});

	it.each([
		["Deleted /w/a", false, "success"],
		["Error: ENOENT: no such file", true, "fileNotFound"],
		["EBUSY: resource busy", true, "fileBusy"],
		["EISDIR: is a directory", true, "notFile"],
		["EPERM: operation not permitted", true, "permissionDenied"],
		["declined by the user", true, "rejected"],
		["boom", true, "error"],
	])("delete: %s", (text, isError, kind) => {
		const remove: ExecInit = { case: "deleteArgs", value: { path: "/w/a" } };
		expect(resultOf(remove, clineClassic, { text, isError }).case).toBe(kind);
	});

	it("pi's own", () => {
		const piWrite: ExecInit = { case: "piWriteArgs", value: { path: "a", content: "b" } };
		expect(resultOf(piWrite, pi, { text: "ok" })).toMatchObject({ case: "success", value: { output: "ok" } });
		expect(resultOf(piWrite, pi, { text: "rejected by the user", isError: true }).case).toBe("rejected");
		expect(resultOf(piWrite, codex)).toMatchObject({ case: "rejected" });
		const piEdit: ExecInit = { case: "piEditArgs", value: { path: "a", edits: [{ oldText: "a", newText: "b" }] } };
		const diff = "@@ -3,1 +4,1 @@\n-a\n+b\n";
		expect(resultOf(piEdit, pi, { text: `Done\n${diff}` })).toMatchObject({
			case: "success",
			value: { output: `Done\n${diff}`, diff, patch: diff, firstChangedLine: 4 },
		});
		expect(resultOf(piEdit, pi, { text: "Could not find the text", isError: true }).case).toBe("error");
	});
});

describe("ls", () => {
	const ls: ExecInit = { case: "lsArgs", value: { path: "/w" } };

	it("a typed tree", () => {
		const result = resultOf(ls, claudeCode, { text: "- /w/\n  - src/\n    - b.ts\n  - a.ts\n" });
		expect(result).toMatchObject({
			case: "success",
			value: {
				directoryTreeRoot: {
					absPath: "/w",
					childrenFiles: [{ name: "a.ts" }],
					childrenDirs: [{ absPath: "/w/src", childrenFiles: [{ name: "b.ts" }] }],
				},
			},
		});
	});

	it("failures", () => {
		expect(resultOf(ls, pi, { text: "Error: Path not found", isError: true })).toMatchObject({
			case: "error",
			value: { path: "/w", error: "Error: Path not found" },
		});
		expect(resultOf(ls, pi, { text: "denied by the user", isError: true }).case).toBe("rejected");
	});

	it("pi's own", () => {
		expect(resultOf({ case: "piLsArgs", value: {} }, pi, { text: "a\nb/" })).toMatchObject({
			case: "success",
			value: { output: "a\nb/" },
		});
	});
});

describe("grep", () => {
	const grep = (value: object = {}): ExecInit => ({ case: "grepArgs", value: { pattern: "x", path: "/w", ...value } });
	const union = (request: ExecInit, tools: Parameters<typeof resultOf>[1], text: string, isError = false) => {
		const { case: kind, value } = resultOf(request, tools, { text, isError });
		expect(kind).toBe("success");
		return (value.workspaceResults as Record<string, { result: unknown }>)["/w"]?.result;
	};
	const BLOCKS = "Found 2 matches\n/w/a.ts:\n  Line 1: x\n  Line 2: xx\n\n/w/b.ts:\n  Line 9: x";

	it("content", () => {
		expect(union(grep(), opencode, BLOCKS)).toMatchObject({
			case: "content",
			value: {
				totalMatchedLines: 3,
				matches: [
					{
						file: "/w/a.ts",
						matches: [
							{ lineNumber: 1, content: "x" },
							{ lineNumber: 2, content: "xx" },
						],
					},
					{ file: "/w/b.ts", matches: [{ lineNumber: 9, content: "x" }] },
				],
			},
		});
	});

	it("files and counts from a tool that only prints lines", () => {
		expect(union(grep({ outputMode: "files_with_matches" }), opencode, BLOCKS)).toMatchObject({
			case: "files",
			value: { files: ["/w/a.ts", "/w/b.ts"], totalFiles: 2 },
		});
		expect(union(grep({ outputMode: "count" }), opencode, BLOCKS)).toMatchObject({
			case: "count",
			value: {
				counts: [
					{ file: "/w/a.ts", count: 2 },
					{ file: "/w/b.ts", count: 1 },
				],
				totalMatches: 3,
			},
		});
	});

	it("files and counts as asked for", () => {
		expect(union(grep({ outputMode: "files_with_matches" }), claudeCode, "Found 1 file\n/w/LICENSE")).toMatchObject({
			case: "files",
			value: { files: ["/w/LICENSE"] },
		});
		expect(union(grep({ outputMode: "count" }), claudeCode, "a.ts:2\nb.ts:1")).toMatchObject({
			case: "count",
			value: { totalFiles: 2, totalMatches: 3 },
		});
	});

	it("nothing found, also where that is an error", () => {
		expect(union(grep(), opencode, "No files found")).toMatchObject({ case: "content", value: { matches: [] } });
		const text = 'Error executing tool: No matches found for pattern "x"';
		expect(resultOf(grep(), continueCli, { text, isError: true }).case).toBe("error");
		expect(union(grep(), continueCli, 'No matches found for pattern "x".', true)).toMatchObject({ case: "content" });
	});

	it("what cannot be read goes back as it is", () => {
		const text = "src/a.ts\n│----\n│const x = 1\n│----";
		const result = union(grep(), clineClassic, text) as { value: { matches: { matches: { content: string }[] }[] } };
		expect(result.value.matches[0]?.matches.map(({ content }) => content).join("\n")).toBe(text);
	});

	it("files by name", () => {
		const find: ExecInit = { case: "grepArgs", value: { glob: "**/*.ts", path: "/w" } };
		expect(union(find, opencode, "/w/a.ts\n/w/b.ts")).toMatchObject({
			case: "files",
			value: { files: ["/w/a.ts", "/w/b.ts"], totalFiles: 2 },
		});
		expect(union(find, opencode, "No files found")).toMatchObject({ case: "files", value: { files: [] } });
	});

	it("errors", () => {
		expect(resultOf(grep(), opencode, { text: "regex parse error", isError: true })).toMatchObject({
			case: "error",
			value: { error: "regex parse error" },
		});
		expect(resultOf({ case: "grepArgs", value: {} }, opencode).case).toBe("error");
	});

	it("pi's own", () => {
		const piGrep: ExecInit = { case: "piGrepArgs", value: { pattern: "x" } };
		expect(resultOf(piGrep, pi, { text: "a:1: x" })).toMatchObject({ case: "success", value: { output: "a:1: x" } });
		const piFind: ExecInit = { case: "piFindArgs", value: { pattern: "*.ts" } };
		expect(resultOf(piFind, pi, { text: "a.ts" })).toMatchObject({ case: "success", value: { output: "a.ts" } });
		expect(resultOf(piFind, pi, { text: "fd is missing", isError: true }).case).toBe("error");
	});
});

describe("fetch", () => {
	const fetch: ExecInit = { case: "fetchArgs", value: { url: "https://a.example/" } };

	it("a page, with the type it was asked for in", () => {
		expect(resultOf(fetch, opencode, { text: "# Page" })).toMatchObject({
			case: "success",
			value: { url: "https://a.example/", content: "# Page", statusCode: 200, contentType: "text/markdown" },
		});
		expect(resultOf(fetch, continueCli, { text: "# Page" })).toMatchObject({ value: { contentType: "text/plain" } });
	});

	it("a failure", () => {
		expect(resultOf(fetch, opencode, { text: "Error: Request failed with status 404", isError: true })).toMatchObject({
			case: "error",
			value: { url: "https://a.example/" },
		});
	});
});

it("a tool nobody has heard of", () => {
	const zap = tool("zap", "Runs a command in the terminal.", { cmdLine: { type: "string" }, cmd: { type: "string" } }, [
		"cmd",
	]);
	expect(callOf({ case: "shellArgs", value: { command: "ls" } }, [zap]).arguments).toEqual({ cmd: "ls" });
});
