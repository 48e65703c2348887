import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import type { ToolDefinition } from "../../src/turn/request.ts";
import { decide, decoded, type ExecInit } from "./bridging.ts";
import { CLIENTS, type ClientName } from "./client-tools.ts";

// Which tool of each client a built-in request becomes. `!name`: it is refused, and the refusal names that tool.

type Expectation = [tool: string, args: Record<string, unknown>] | `!${string}`;
type Row = Record<ClientName, Expectation>;

const PAGE = "Return the whole content of the page, unchanged.";
const ONE = { oldText: "a", newText: "b" };
const TWO = { oldText: "c", newText: "d" };
const MANY = 1_000_000;

const TABLE: [name: string, request: ExecInit, expected: Row][] = [
	[
		"shell",
		{ case: "shellArgs", value: { command: "ls 'a b'", timeout: 30_000 } },
		{
			opencode: ["bash", { command: "ls 'a b'", timeout: 30_000, description: "ls 'a b'" }],
			codex: ["shell", { command: ["bash", "-lc", "ls 'a b'"], timeout_ms: 30_000 }],
			claudeCode: ["Bash", { command: "ls 'a b'", timeout: 30_000 }],
			cline: ["run_commands", { commands: ["ls 'a b'"] }],
			clineClassic: ["execute_command", { command: "ls 'a b'", timeout: 30, requires_approval: true }],
			continueCli: ["Bash", { command: "ls 'a b'", timeout: 30 }],
			qwen: ["run_shell_command", { command: "ls 'a b'", timeout: 30_000, is_background: false }],
			goose: ["shell", { command: "ls 'a b'", timeout_secs: 30 }],
			gooseLegacy: ["developer__shell", { command: "ls 'a b'" }],
			pi: ["bash", { command: "ls 'a b'", timeout: 30 }],
			copilot: ["bash", { command: "ls 'a b'", description: "ls 'a b'" }],
		},
	],
	[
		"shell in a directory",
		{ case: "shellStreamArgs", value: { command: "make", workingDirectory: "/w/x", description: "Build it" } },
		{
			opencode: ["bash", { command: "make", workdir: "/w/x", description: "Build it" }],
			codex: ["shell", { command: ["bash", "-lc", "make"], workdir: "/w/x" }],
			qwen: ["run_shell_command", { command: "make", directory: "/w/x", is_background: false }],
			claudeCode: "!Bash",
			cline: "!run_commands",
			clineClassic: "!execute_command",
			continueCli: "!Bash",
			goose: "!shell",
			gooseLegacy: "!developer__shell",
			pi: "!bash",
			copilot: "!bash",
		},
	],
	[
		"background shell",
		{ case: "backgroundShellSpawnArgs", value: { command: "npm run dev" } },
		{
			claudeCode: ["Bash", { command: "npm run dev", run_in_background: true }],
			qwen: ["run_shell_command", { command: "npm run dev", is_background: true }],
			copilot: ["bash", { command: "npm run dev", mode: "async", description: "npm run dev" }],
			opencode: "!bash",
			codex: "!shell",
			cline: "!run_commands",
			clineClassic: "!execute_command",
			continueCli: "!Bash",
			goose: "!shell",
			gooseLegacy: "!developer__shell",
			pi: "!bash",
		},
	],
	[
		"read",
		{ case: "readArgs", value: { path: "/w/a.ts" } },
		{
			opencode: ["read", { filePath: "/w/a.ts", limit: MANY }],
			codex: "!shell",
			claudeCode: ["Read", { file_path: "/w/a.ts", limit: MANY }],
			cline: ["read_files", { files: [{ path: "/w/a.ts" }] }],
			clineClassic: ["read_file", { path: "/w/a.ts" }],
			continueCli: ["Read", { filepath: "/w/a.ts" }],
			qwen: ["read_file", { file_path: "/w/a.ts", limit: MANY }],
			goose: "!shell",
			gooseLegacy: ["developer__text_editor", { command: "view", path: "/w/a.ts" }],
			pi: ["read", { path: "/w/a.ts", limit: MANY }],
			copilot: ["view", { path: "/w/a.ts" }],
		},
	],
	[
		"read of some lines",
		{ case: "piReadArgs", value: { path: "/w/a.ts", offset: 10, limit: 5 } },
		{
			opencode: ["read", { filePath: "/w/a.ts", offset: 10, limit: 5 }],
			codex: "!shell",
			claudeCode: ["Read", { file_path: "/w/a.ts", offset: 10, limit: 5 }],
			cline: ["read_files", { files: [{ path: "/w/a.ts", start_line: 10, end_line: 14 }] }],
			clineClassic: ["read_file", { path: "/w/a.ts" }],
			continueCli: ["Read", { filepath: "/w/a.ts" }],
			// Counts from zero.
			qwen: ["read_file", { file_path: "/w/a.ts", offset: 9, limit: 5 }],
			goose: "!shell",
			gooseLegacy: ["developer__text_editor", { command: "view", path: "/w/a.ts", view_range: [10, 14] }],
			pi: ["read", { path: "/w/a.ts", offset: 10, limit: 5 }],
			copilot: ["view", { path: "/w/a.ts", view_range: [10, 14] }],
		},
	],
	[
		"write",
		{ case: "writeArgs", value: { path: "/w/a.ts", fileText: "x\n" } },
		{
			opencode: ["write", { filePath: "/w/a.ts", content: "x\n" }],
			codex: "!apply_patch",
			claudeCode: ["Write", { file_path: "/w/a.ts", content: "x\n" }],
			cline: "!editor",
			clineClassic: ["write_to_file", { path: "/w/a.ts", content: "x\n" }],
			continueCli: ["Write", { filepath: "/w/a.ts", content: "x\n" }],
			qwen: ["write_file", { file_path: "/w/a.ts", content: "x\n" }],
			goose: ["write", { path: "/w/a.ts", content: "x\n" }],
			gooseLegacy: ["developer__text_editor", { command: "write", path: "/w/a.ts", file_text: "x\n" }],
			pi: ["write", { path: "/w/a.ts", content: "x\n" }],
			copilot: ["create", { path: "/w/a.ts", file_text: "x\n" }],
		},
	],
	[
		"one replacement",
		{ case: "piEditArgs", value: { path: "/w/a", edits: [ONE] } },
		{
			opencode: ["edit", { filePath: "/w/a", oldString: "a", newString: "b" }],
			codex: "!apply_patch",
			claudeCode: ["Edit", { file_path: "/w/a", old_string: "a", new_string: "b" }],
			cline: ["editor", { path: "/w/a", old_text: "a", new_text: "b" }],
			clineClassic: "!replace_in_file",
			continueCli: ["Edit", { file_path: "/w/a", old_string: "a", new_string: "b" }],
			qwen: ["edit", { file_path: "/w/a", old_string: "a", new_string: "b" }],
			goose: ["edit", { path: "/w/a", before: "a", after: "b" }],
			gooseLegacy: ["developer__text_editor", { command: "str_replace", path: "/w/a", old_str: "a", new_str: "b" }],
			pi: ["edit", { path: "/w/a", edits: [ONE] }],
			copilot: ["edit", { path: "/w/a", old_str: "a", new_str: "b" }],
		},
	],
	[
		"two replacements",
		{ case: "piEditArgs", value: { path: "/w/a", edits: [ONE, TWO] } },
		{
			claudeCode: [
				"MultiEdit",
				{
					file_path: "/w/a",
					edits: [
						{ old_string: "a", new_string: "b" },
						{ old_string: "c", new_string: "d" },
					],
				},
			],
			pi: ["edit", { path: "/w/a", edits: [ONE, TWO] }],
			opencode: "!edit",
			codex: "!apply_patch",
			cline: "!editor",
			clineClassic: "!replace_in_file",
			continueCli: "!Edit",
			qwen: "!edit",
			goose: "!edit",
			gooseLegacy: "!developer__text_editor",
			copilot: "!edit",
		},
	],
	[
		"delete",
		{ case: "deleteArgs", value: { path: "/w/a.ts" } },
		{
			clineClassic: ["delete_file", { path: "/w/a.ts" }],
			opencode: "!bash",
			codex: "!shell",
			claudeCode: "!Bash",
			cline: "!run_commands",
			continueCli: "!Bash",
			qwen: "!run_shell_command",
			goose: "!shell",
			gooseLegacy: "!developer__shell",
			pi: "!bash",
			copilot: "!bash",
		},
	],
	[
		"ls",
		{ case: "lsArgs", value: { path: "/w", ignore: ["dist"] } },
		{
			// Its `read` takes directories too.
			opencode: ["read", { filePath: "/w", limit: MANY }],
			codex: "!shell",
			claudeCode: ["LS", { path: "/w", ignore: ["dist"] }],
			cline: "!run_commands",
			clineClassic: ["list_files", { path: "/w" }],
			continueCli: ["List", { dirpath: "/w" }],
			qwen: ["list_directory", { path: "/w", ignore: ["dist"] }],
			goose: ["tree", { path: "/w" }],
			gooseLegacy: ["developer__text_editor", { command: "view", path: "/w" }],
			pi: ["ls", { path: "/w" }],
			copilot: ["view", { path: "/w" }],
		},
	],
	[
		"ls of the current directory",
		{ case: "piLsArgs", value: { limit: 9 } },
		{
			opencode: ["read", { filePath: ".", limit: 9 }],
			codex: "!shell",
			claudeCode: ["LS", { path: "." }],
			cline: "!run_commands",
			clineClassic: ["list_files", { path: "." }],
			continueCli: ["List", { dirpath: "." }],
			qwen: ["list_directory", { path: "." }],
			goose: ["tree", { path: "." }],
			gooseLegacy: ["developer__text_editor", { command: "view", path: "." }],
			pi: ["ls", { path: ".", limit: 9 }],
			copilot: ["view", { path: "." }],
		},
	],
	[
		"grep with a filter",
		{ case: "grepArgs", value: { pattern: "f.o", path: "/w", glob: "*.ts", outputMode: "files_with_matches" } },
		{
			opencode: ["grep", { pattern: "f.o", path: "/w", include: "*.ts" }],
			codex: "!shell",
			claudeCode: ["Grep", { pattern: "f.o", path: "/w", glob: "*.ts", output_mode: "files_with_matches" }],
			cline: "!search_codebase",
			clineClassic: ["search_files", { regex: "f.o", path: "/w", file_pattern: "*.ts" }],
			continueCli: ["Search", { pattern: "f.o", path: "/w", file_pattern: "*.ts" }],
			qwen: ["grep_search", { pattern: "f.o", path: "/w", glob: "*.ts" }],
			goose: "!shell",
			gooseLegacy: "!developer__shell",
			pi: ["grep", { pattern: "f.o", path: "/w", glob: "*.ts" }],
			copilot: ["grep", { pattern: "f.o", path: "/w", glob: "*.ts", output_mode: "files_with_matches" }],
		},
	],
	[
		"grep without regard to case, in a kind of files",
		{ case: "grepArgs", value: { pattern: "f.o", caseInsensitive: true, type: "rust", context: 2 } },
		{
			claudeCode: ["Grep", { pattern: "f.o", type: "rust", "-i": true, output_mode: "content", "-n": true, "-C": 2 }],
			pi: ["grep", { pattern: "f.o", glob: "*.rs", ignoreCase: true, context: 2 }],
			copilot: ["grep", { pattern: "f.o", type: "rust", "-i": true, output_mode: "content", "-n": true }],
			opencode: "!grep",
			codex: "!shell",
			cline: "!search_codebase",
			clineClassic: "!search_files",
			continueCli: "!Search",
			qwen: "!grep_search",
			goose: "!shell",
			gooseLegacy: "!developer__shell",
		},
	],
	[
		"plain grep",
		{ case: "piGrepArgs", value: { pattern: "x" } },
		{
			opencode: ["grep", { pattern: "x" }],
			codex: "!shell",
			claudeCode: ["Grep", { pattern: "x", output_mode: "content", "-n": true }],
			cline: ["search_codebase", { queries: ["x"] }],
			clineClassic: ["search_files", { regex: "x", path: "." }],
			continueCli: ["Search", { pattern: "x" }],
			qwen: ["grep_search", { pattern: "x" }],
			goose: "!shell",
			gooseLegacy: "!developer__shell",
			pi: ["grep", { pattern: "x" }],
			copilot: ["grep", { pattern: "x", output_mode: "content", "-n": true }],
		},
	],
	[
		"grep with a glob alone",
		{ case: "grepArgs", value: { glob: "*.ts", path: "/w" } },
		{
			opencode: ["glob", { pattern: "**/*.ts", path: "/w" }],
			codex: "!shell",
			claudeCode: ["Glob", { pattern: "**/*.ts", path: "/w" }],
			cline: "!search_codebase",
			clineClassic: "!search_files",
			continueCli: "!List",
			qwen: ["glob", { pattern: "**/*.ts", path: "/w" }],
			goose: "!tree",
			gooseLegacy: "!developer__shell",
			pi: ["find", { pattern: "**/*.ts", path: "/w" }],
			copilot: ["glob", { pattern: "**/*.ts", path: "/w" }],
		},
	],
	[
		"fetch",
		{ case: "fetchArgs", value: { url: "https://docs.example/a?b=c" } },
		{
			opencode: ["webfetch", { url: "https://docs.example/a?b=c", format: "markdown" }],
			codex: "!shell",
			claudeCode: ["WebFetch", { url: "https://docs.example/a?b=c", prompt: PAGE }],
			cline: ["fetch_web_content", { requests: [{ url: "https://docs.example/a?b=c", prompt: PAGE }] }],
			clineClassic: "!execute_command",
			continueCli: ["Fetch", { url: "https://docs.example/a?b=c" }],
			qwen: ["web_fetch", { url: "https://docs.example/a?b=c", prompt: PAGE }],
			goose: "!shell",
			gooseLegacy: "!developer__shell",
			pi: "!bash",
			copilot: ["web_fetch", { url: "https://docs.example/a?b=c" }],
		},
	],
];

const ajv = new Ajv({ strict: false, validateFormats: false, logger: false });

describe.each(TABLE)("%s", (_name, request, expected) => {
	it.each(Object.entries(expected) as [ClientName, Expectation][])("%s", (client, expectation) => {
		const tools: readonly ToolDefinition[] = CLIENTS[client];
		const decision = decide(request, tools);
		if (typeof expectation === "string") {
			expect(decision.kind).toBe("answer");
			const [refusal] = decision.kind === "answer" ? decoded(decision.answers) : [];
			expect(JSON.stringify(refusal)).toMatch(/"case":"(rejected|error)"/);
			expect(JSON.stringify(refusal)).toContain(`\\"${expectation.slice(1)}\\"`);
			return;
		}
		const [name, args] = expectation;
		expect(decision).toMatchObject({ kind: "call", call: { toolName: name } });
		if (decision.kind !== "call") return;
		expect(decision.call.arguments).toEqual(args);
		const schema = tools.find((tool) => tool.name === name)?.inputSchema ?? false;
		expect(ajv.validate(schema, decision.call.arguments)).toBe(true);
	});
});

it("names a tool as the model knows it", () => {
	// `webfetch` travels under another name, since Cursor has a tool of that name itself.
	const [webfetch] = CLIENTS.opencode.filter(({ name }) => name === "webfetch");
	const tools = [{ ...webfetch!, inputSchema: { type: "object", properties: {}, required: ["token"] } }];
	const decision = decide({ case: "fetchArgs", value: { url: "https://a.example" } }, tools);
	expect(JSON.stringify(decision)).toContain('\\"client_webfetch\\"');
});
