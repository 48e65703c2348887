import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../src/turn/request.ts";
import { callOf, decide, type ExecInit } from "./bridging.ts";
import { CLIENTS, tool } from "./client-tools.ts";

const string = { type: "string" };
const integer = { type: "integer" };
const READ: ExecInit = { case: "readArgs", value: { path: "/w/a" } };
const WRITE: ExecInit = { case: "writeArgs", value: { path: "/w/a", fileText: "x" } };
const LS: ExecInit = { case: "lsArgs", value: { path: "/w" } };
const GREP: ExecInit = { case: "grepArgs", value: { pattern: "x", path: "/w" } };
const FIND: ExecInit = { case: "piFindArgs", value: { pattern: "*.ts", path: "/w" } };
const SHELL: ExecInit = { case: "shellArgs", value: { command: "ls" } };
const DELETE: ExecInit = { case: "deleteArgs", value: { path: "/w/a" } };
const FETCH: ExecInit = { case: "fetchArgs", value: { url: "https://a.example" } };
const EDIT: ExecInit = { case: "piEditArgs", value: { path: "/w/a", edits: [{ oldText: "a", newText: "b" }] } };

describe("tools of no client in the table", () => {
	const nameSearch = tool(
		"mcp__filesystem__search_files",
		"Recursively search for files and directories matching a pattern.",
		{ path: string, pattern: string, excludePatterns: { type: "array", items: string } },
		["path", "pattern"],
	);

	it.each<[string, ExecInit, ToolDefinition, Record<string, unknown>]>([
		[
			"required line bounds",
			READ,
			tool("read_file", "Read the contents of a file.", { filePath: string, startLine: integer, endLine: integer }, [
				"filePath",
				"startLine",
				"endLine",
			]),
			{ filePath: "/w/a", startLine: 1, endLine: 1_000_000 },
		],
		[
			"a required explanation",
			SHELL,
			tool(
				"run_in_terminal",
				"Run a command in a terminal.",
				{ command: string, explanation: string, isBackground: { type: "boolean" } },
				["command", "explanation", "isBackground"],
			),
			{ command: "ls", isBackground: false, explanation: "ls" },
		],
		[
			"strict mode, where everything is required and may be null",
			READ,
			tool(
				"readFile",
				"Reads a file",
				{ path: string, encoding: { type: ["string", "null"] }, limit: { type: ["integer", "null"] } },
				["path", "encoding", "limit"],
				{ additionalProperties: false },
			),
			{ path: "/w/a", limit: 1_000_000, encoding: null },
		],
		["a search by name", FIND, nameSearch, { pattern: "*.ts", path: "/w" }],
		[
			"an MCP server's edit",
			EDIT,
			tool(
				"mcp__filesystem__edit_file",
				"Make line-based edits to a text file.",
				{
					path: string,
					edits: {
						type: "array",
						items: {
							type: "object",
							properties: { oldText: string, newText: string },
							required: ["oldText", "newText"],
						},
					},
					dryRun: { type: "boolean", default: false },
				},
				["path", "edits"],
			),
			{ path: "/w/a", edits: [{ oldText: "a", newText: "b" }] },
		],
		["a name in one word", LS, tool("listdir", "", { dir: string }, ["dir"]), { dir: "/w" }],
		[
			"a name that says nothing",
			SHELL,
			tool("zap", "Executes a shell command.", { cmd: string }, ["cmd"]),
			{ cmd: "ls" },
		],
		[
			"one tool for several things",
			DELETE,
			tool("file_manager", "Manages files.", { operation: { enum: ["read", "write", "delete"] }, path: string }, [
				"operation",
				"path",
			]),
			{ path: "/w/a", operation: "delete" },
		],
		[
			"PowerShell",
			SHELL,
			tool(
				"shell",
				'Runs a Powershell command (Windows). Prefix commands with ["powershell.exe", "-Command"].',
				{ command: { type: "array", items: string } },
				["command"],
			),
			{ command: ["powershell.exe", "-Command", "ls"] },
		],
	])("%s", (_name, request, definition, args) => {
		expect(callOf(request, [definition]).arguments).toEqual(args);
	});

	it.each<[string, ExecInit, ToolDefinition]>([
		["a slash command", SHELL, tool("SlashCommand", "Execute a slash command.", { command: string }, ["command"])],
		["input to a running shell", SHELL, tool("write_stdin", "Writes to a session.", { input: string }, ["input"])],
		["an image viewer", READ, tool("view_image", "View a local image file.", { path: string }, ["path"])],
		[
			"a gist",
			WRITE,
			tool("create_gist", "Create a gist.", { filename: string, content: string }, ["filename", "content"]),
		],
		[
			"a repository",
			WRITE,
			tool("create_or_update_file", "", { path: string, content: string, repo: string }, ["repo"]),
		],
		["memory", DELETE, tool("delete_memory", "Deletes a memory file.", { path: string }, ["path"])],
		["a search by name", GREP, nameSearch],
		["definitions", LS, tool("list_code_definition_names", "List definitions in files.", { path: string }, ["path"])],
		["a web search", FETCH, tool("web_search", "Searches the web and fetches URLs.", { url: string }, ["url"])],
		["an upload", READ, tool("upload_file", "Reads a file and uploads it.", { path: string }, ["path"])],
		["an append", WRITE, tool("append_file", "Writes to the end of a file.", { path: string, content: string })],
		["an untold parameter", READ, tool("read_file", "", { path: string, token: string }, ["path", "token"])],
	])("%s is not mistaken for it", (_name, request, definition) => {
		expect(decide(request, [definition]).kind).toBe("answer");
	});

	it("the tool that takes more of the request wins", () => {
		const [plain] = CLIENTS.clineClassic.filter(({ name }) => name === "read_file");
		const [ranged] = CLIENTS.qwen.filter(({ name }) => name === "read_file");
		const tools = [
			{ ...plain!, name: "read_file_plain" },
			{ ...ranged!, name: "read_file_ranged" },
		];
		const request: ExecInit = { case: "readArgs", value: { path: "/w/a", offset: 5, limit: 5 } };
		expect(callOf(request, tools).toolName).toBe("read_file_ranged");
	});
});
