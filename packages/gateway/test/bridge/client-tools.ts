import type { ToolDefinition } from "../../src/turn/request.ts";

// The tools that real clients declare, with their parameters as they send them and descriptions of the same sense.

type Properties = Record<string, Record<string, unknown>>;

export function tool(
	name: string,
	description: string,
	properties: Properties,
	required: string[] = [],
	more: Record<string, unknown> = {},
): ToolDefinition {
	return { name, description, kind: "function", inputSchema: { type: "object", properties, required, ...more } };
}

const string = (description = "") => ({ type: "string", description });
const number = (description = "") => ({ type: "number", description });
const integer = (description = "") => ({ type: "integer", description });
const boolean = (description = "") => ({ type: "boolean", description });
const strings = (description = "") => ({ type: "array", items: { type: "string" }, description });
const CLOSED = { additionalProperties: false, $schema: "http://json-schema.org/draft-07/schema#" };

const opencode = [
	tool(
		"bash",
		"Runs a bash command in a persistent shell session with an optional timeout.",
		{
			command: string("The command to execute"),
			timeout: number("Optional timeout in milliseconds"),
			workdir: string("The directory to run the command in; use this instead of cd"),
			description: string("What the command does, in five to ten words"),
		},
		["command", "description"],
		CLOSED,
	),
	tool(
		"read",
		"Read a file or directory from the local filesystem. By default it returns up to 2000 lines from the start.",
		{
			filePath: string("The absolute path to the file or directory to read"),
			offset: number("The line number to start reading from (1-indexed)"),
			limit: number("The maximum number of lines to read (defaults to 2000)"),
		},
		["filePath"],
		CLOSED,
	),
	tool(
		"glob",
		"Fast file pattern matching that works with any codebase size.",
		{
			pattern: string("The glob pattern to match files against"),
			path: string("The directory to search in"),
		},
		["pattern"],
		CLOSED,
	),
	tool(
		"grep",
		"Fast content search with regular expressions.",
		{
			pattern: string("The regex pattern to search for in file contents"),
			path: string("The directory to search in"),
			include: string('File pattern to include, such as "*.js"'),
		},
		["pattern"],
		CLOSED,
	),
	tool(
		"edit",
		"Performs exact string replacements in files.",
		{
			filePath: string("The absolute path to the file to modify"),
			oldString: string("The text to replace"),
			newString: string("The text to replace it with"),
			replaceAll: boolean("Replace all occurrences"),
		},
		["filePath", "oldString", "newString"],
		CLOSED,
	),
	tool(
		"write",
		"Writes a file to the local filesystem, overwriting the existing one.",
		{
			content: string("The content to write to the file"),
			filePath: string("The absolute path to the file to write"),
		},
		["content", "filePath"],
		CLOSED,
	),
	tool(
		"webfetch",
		"Fetches content from a URL and converts it to the wanted format.",
		{
			url: string("The URL to fetch"),
			format: { type: "string", enum: ["text", "markdown", "html"], default: "markdown" },
			timeout: number("Optional timeout in seconds (max 120)"),
		},
		["url", "format"],
		CLOSED,
	),
	tool(
		"todowrite",
		"Create and manage a structured task list for the session.",
		{
			todos: { type: "array", items: { type: "object", properties: { content: string() }, required: ["content"] } },
		},
		["todos"],
		CLOSED,
	),
	tool(
		"task",
		"Launch a new agent to handle a task by itself.",
		{
			description: string(),
			prompt: string(),
			subagent_type: string(),
		},
		["description", "prompt", "subagent_type"],
		CLOSED,
	),
];

const codex: ToolDefinition[] = [
	tool(
		"shell",
		'Runs a shell command and returns its output. Arguments are passed to execvp(); most commands need ["bash", "-lc"] in front.',
		{
			command: strings("The command to execute"),
			workdir: string("The working directory to execute the command in"),
			timeout_ms: number("The timeout for the command in milliseconds"),
			sandbox_permissions: string("Sandbox permissions for the command"),
			justification: string("Only with require_escalated: why"),
		},
		["command"],
		{ additionalProperties: false },
	),
	tool(
		"update_plan",
		"Updates the task plan.",
		{
			explanation: string(),
			plan: { type: "array", items: { type: "object", properties: { step: string(), status: string() } } },
		},
		["plan"],
		{ additionalProperties: false },
	),
	tool("view_image", "View a local image from the filesystem.", { path: string("Local path to an image file") }, [
		"path",
	]),
	{
		name: "apply_patch",
		description: "Use the apply_patch tool to edit files. This is a FREEFORM tool.",
		inputSchema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
		kind: "freeform",
	},
];

const claudeCode = [
	tool(
		"Task",
		"Launch a new agent for a multi-step task.",
		{ description: string(), prompt: string(), subagent_type: string() },
		["description", "prompt", "subagent_type"],
		CLOSED,
	),
	tool(
		"Bash",
		"Executes a given bash command in a persistent shell session with an optional timeout.",
		{
			command: string("The command to execute"),
			timeout: number("Optional timeout in milliseconds (max 600000)"),
			description: string("Clear, concise description of what this command does"),
			run_in_background: boolean("Set to true to run this command in the background"),
			dangerouslyDisableSandbox: boolean("Override the sandbox"),
		},
		["command"],
		CLOSED,
	),
	tool(
		"BashOutput",
		"Retrieves output from a running or completed background shell.",
		{ bash_id: string(), filter: string() },
		["bash_id"],
		CLOSED,
	),
	tool("KillShell", "Kills a running background bash shell by its ID.", { shell_id: string() }, ["shell_id"], CLOSED),
	tool(
		"Glob",
		"Fast file pattern matching tool. Supports glob patterns such as **/*.js.",
		{
			pattern: string("The glob pattern to match files against"),
			path: string("The directory to search in"),
		},
		["pattern"],
		CLOSED,
	),
	tool(
		"Grep",
		"A powerful search tool built on ripgrep.",
		{
			pattern: string("The regular expression to search for in file contents"),
			path: string("File or directory to search in"),
			glob: string("Glob pattern to filter files"),
			output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
			"-B": number("Lines before each match"),
			"-A": number("Lines after each match"),
			"-C": number("Lines around each match"),
			"-n": boolean("Show line numbers"),
			"-i": boolean("Case insensitive search"),
			type: string("File type to search"),
			head_limit: number("Limit output to the first N entries"),
			multiline: boolean("Let . match line breaks"),
		},
		["pattern"],
		CLOSED,
	),
	tool(
		"LS",
		"Lists files and directories in a given path.",
		{
			path: string("The absolute path to the directory to list"),
			ignore: strings("Glob patterns to ignore"),
		},
		["path"],
		CLOSED,
	),
	tool(
		"Read",
		"Reads a file from the local filesystem. By default, it reads up to 2000 lines from the beginning. It can only read files, not directories.",
		{
			file_path: string("The absolute path to the file to read"),
			offset: number("The line number to start reading from"),
			limit: number("The number of lines to read"),
		},
		["file_path"],
		CLOSED,
	),
	tool(
		"Edit",
		"Performs exact string replacements in files.",
		{
			file_path: string(),
			old_string: string(),
			new_string: string(),
			replace_all: { type: "boolean", default: false },
		},
		["file_path", "old_string", "new_string"],
		CLOSED,
	),
	tool(
		"MultiEdit",
		"Makes several edits to one file in one operation.",
		{
			file_path: string(),
			edits: {
				type: "array",
				minItems: 1,
				items: {
					type: "object",
					additionalProperties: false,
					required: ["old_string", "new_string"],
					properties: { old_string: string(), new_string: string(), replace_all: { type: "boolean", default: false } },
				},
			},
		},
		["file_path", "edits"],
		CLOSED,
	),
	tool(
		"Write",
		"Writes a file to the local filesystem.",
		{ file_path: string(), content: string() },
		["file_path", "content"],
		CLOSED,
	),
	tool(
		"NotebookEdit",
		"Replaces the contents of a cell in a Jupyter notebook.",
		{ notebook_path: string(), new_source: string() },
		["notebook_path", "new_source"],
		CLOSED,
	),
	tool(
		"WebFetch",
		"Fetches content from a URL and processes it with a small model.",
		{
			url: { type: "string", format: "uri", description: "The URL to fetch" },
			prompt: string("The prompt to run on the content"),
		},
		["url", "prompt"],
		CLOSED,
	),
	tool("WebSearch", "Searches the web.", { query: { type: "string", minLength: 2 } }, ["query"], CLOSED),
	tool(
		"TodoWrite",
		"Creates and updates a task list.",
		{ todos: { type: "array", items: { type: "object" } } },
		["todos"],
		CLOSED,
	),
	tool("SlashCommand", "Execute a slash command within the conversation.", { command: string() }, ["command"], CLOSED),
];

const nullable = (schema: Record<string, unknown>) => ({ anyOf: [schema, { type: "null" }] });

const cline = [
	tool(
		"read_files",
		"Read the full content of text or image files at absolute paths, or a line range of them.",
		{
			files: {
				type: "array",
				items: {
					type: "object",
					required: ["path"],
					additionalProperties: false,
					properties: {
						path: string("The absolute path of a text file"),
						start_line: nullable({ type: "integer", exclusiveMinimum: 0 }),
						end_line: nullable({ type: "integer", exclusiveMinimum: 0 }),
					},
				},
			},
		},
		["files"],
		CLOSED,
	),
	tool(
		"search_codebase",
		"Perform regex pattern searches across the codebase.",
		{ queries: strings("Regex queries") },
		["queries"],
		CLOSED,
	),
	tool(
		"run_commands",
		"Run shell commands from the root of the workspace.",
		{
			commands: {
				type: "array",
				items: {
					anyOf: [
						string("A shell command"),
						{
							type: "object",
							properties: { command: { type: "string", minLength: 1 }, args: strings() },
							required: ["command"],
							additionalProperties: false,
						},
					],
				},
			},
		},
		["commands"],
		CLOSED,
	),
	tool(
		"fetch_web_content",
		"Fetch content from URLs and analyze them with the prompts.",
		{
			requests: {
				type: "array",
				items: {
					type: "object",
					properties: { url: string(), prompt: { type: "string", minLength: 2 } },
					required: ["url", "prompt"],
					additionalProperties: false,
				},
			},
		},
		["requests"],
		CLOSED,
	),
	tool(
		"editor",
		"An editor for text files: replaces old_text with new_text, or creates a missing file with new_text.",
		{
			path: { type: "string", minLength: 1 },
			old_text: nullable({ type: "string" }),
			new_text: string(),
			insert_line: nullable({ type: "integer" }),
		},
		["path", "new_text"],
		CLOSED,
	),
	tool(
		"ask_question",
		"Ask the user a question.",
		{ question: string(), options: strings() },
		["question", "options"],
		CLOSED,
	),
	tool("skills", "Execute a skill.", { skill: string(), args: nullable({ type: "string" }) }, ["skill"], CLOSED),
];

const clineClassic = [
	tool(
		"execute_command",
		"Request to execute a CLI command on the system.",
		{
			command: string("The CLI command to execute"),
			requires_approval: boolean("Whether the user must approve"),
			timeout: integer("Seconds to wait"),
		},
		["command", "requires_approval"],
		CLOSED,
	),
	tool("read_file", "Request to read the contents of a file at the given path.", { path: string() }, ["path"], CLOSED),
	tool(
		"write_to_file",
		"Request to write content to a file at the given path.",
		{ path: string(), content: string() },
		["path", "content"],
		CLOSED,
	),
	tool(
		"replace_in_file",
		"Replace sections of a file with SEARCH/REPLACE blocks.",
		{ path: string(), diff: string() },
		["path", "diff"],
		CLOSED,
	),
	tool(
		"search_files",
		"Perform a regex search across files in a directory.",
		{ path: string(), regex: string(), file_pattern: string() },
		["path", "regex"],
		CLOSED,
	),
	tool(
		"list_files",
		"List files and directories within the given directory.",
		{ path: string(), recursive: boolean() },
		["path"],
		CLOSED,
	),
	tool("list_code_definition_names", "List definition names in source files.", { path: string() }, ["path"], CLOSED),
	tool("delete_file", "Delete a file at the given path.", { path: string() }, ["path"], CLOSED),
];

const continueCli = [
	tool("Read", "Read the contents of a file at the specified path.", { filepath: string() }, ["filepath"]),
	tool("Write", "Write content to a file.", { filepath: string(), content: string() }, ["filepath", "content"]),
	tool(
		"Edit",
		"Performs exact string replacements in a file.",
		{
			file_path: string(),
			old_string: string(),
			new_string: string(),
			replace_all: boolean(),
		},
		["file_path", "old_string", "new_string"],
	),
	tool("List", "List files in a directory", { dirpath: string("The path to the directory to list") }, ["dirpath"]),
	tool(
		"Search",
		"Search the codebase using ripgrep (rg) for a specific pattern",
		{
			pattern: string(),
			path: string(),
			file_pattern: string(),
		},
		["pattern"],
	),
	tool(
		"Bash",
		"Executes a terminal command and returns the output",
		{ command: string(), timeout: number("Optional timeout in seconds") },
		["command"],
	),
	tool("Fetch", "Fetches content from a URL, converts to markdown, and handles long content", { url: string() }, [
		"url",
	]),
	tool("Checklist", "Create or update a task checklist", { checklist: string() }, ["checklist"]),
];

const qwen = [
	tool(
		"run_shell_command",
		"This tool executes a given shell command as bash -c <command>.",
		{
			command: string(),
			is_background: boolean("Whether to run in background"),
			timeout: {
				type: "integer",
				minimum: 1,
				maximum: 600_000,
				description: "Optional timeout in milliseconds (max 600000)",
			},
			description: string(),
			directory: string("The absolute directory to run the command in"),
		},
		["command", "is_background"],
	),
	tool(
		"read_file",
		"Reads and returns the content of a specified file. If the file is large, the content will be truncated.",
		{
			file_path: string(),
			offset: { type: ["integer", "null"], description: "The 0-based line number to start reading from." },
			limit: { type: ["integer", "null"], description: "Maximum number of lines; if omitted, up to a default limit." },
			pages: { type: ["string", "null"] },
		},
		["file_path"],
	),
	tool(
		"write_file",
		"Writes content to a specified file.",
		{ file_path: string(), content: string(), record_as_artifact: boolean() },
		["file_path", "content"],
	),
	tool(
		"edit",
		"Replaces text within a file.",
		{
			file_path: string(),
			old_string: string(),
			new_string: string(),
			replace_all: boolean(),
		},
		["file_path", "old_string", "new_string"],
	),
	tool(
		"list_directory",
		"Lists the names of files and subdirectories directly within a directory.",
		{
			path: string(),
			ignore: strings(),
			file_filtering_options: { type: "object", properties: { respect_git_ignore: boolean() } },
		},
		["path"],
	),
	tool(
		"grep_search",
		"A powerful search tool for finding patterns in files",
		{ pattern: string(), glob: string(), path: string(), limit: { type: "integer", minimum: 1 } },
		["pattern"],
	),
	tool(
		"glob",
		"Fast file pattern matching tool",
		{ pattern: string("The glob pattern to match files against"), path: string() },
		["pattern"],
	),
	tool("web_fetch", "Fetches content from a URL and processes it with a model", { url: string(), prompt: string() }, [
		"url",
		"prompt",
	]),
	tool("todo_write", "Creates and manages a task list", { todos: { type: "array", items: { type: "object" } } }, [
		"todos",
	]),
	tool("save_memory", "Saves a fact to memory", { fact: string() }, ["fact"]),
];

const goose = [
	tool("write", "Create a new file or overwrite an existing file.", { path: string(), content: string() }, [
		"path",
		"content",
	]),
	tool("edit", "Edit a file by finding and replacing text.", { path: string(), before: string(), after: string() }, [
		"path",
		"before",
		"after",
	]),
	tool(
		"shell",
		"Execute a shell command in the current dir.",
		{
			command: string(),
			timeout_secs: { type: ["integer", "null"], format: "uint64", minimum: 0, description: "Maximum time in seconds" },
		},
		["command"],
	),
	tool(
		"tree",
		"List a directory tree with line counts.",
		{
			path: string(),
			depth: { type: "integer", format: "uint32", minimum: 0, default: 2 },
		},
		["path"],
	),
	tool(
		"platform__manage_schedule",
		"Manage scheduled recipe execution",
		{ action: { type: "string", enum: ["list", "create", "run_now"] } },
		["action"],
	),
];

const gooseLegacy = [
	tool("developer__shell", "Execute a command in the shell.", { command: string() }, ["command"]),
	tool(
		"developer__text_editor",
		"Perform text editing operations on files.",
		{
			command: { type: "string", enum: ["view", "write", "str_replace", "insert", "undo_edit"] },
			path: string("Absolute path to file or directory"),
			file_text: nullable({ type: "string" }),
			old_str: nullable({ type: "string" }),
			new_str: nullable({ type: "string" }),
			view_range: nullable({ type: "array", items: { type: "integer" } }),
		},
		["command", "path"],
	),
];

const pi = [
	tool(
		"read",
		"Read the contents of a file. Output is truncated to 2000 lines or 50KB.",
		{
			path: string(),
			offset: number("Line number to start reading from (1-indexed)"),
			limit: number("Maximum number of lines to read"),
		},
		["path"],
	),
	tool(
		"bash",
		"Execute a bash command in the current working directory.",
		{ command: string(), timeout: number("Timeout in seconds (optional)") },
		["command"],
	),
	tool(
		"edit",
		"Edit a single file using exact text replacement.",
		{
			path: string(),
			edits: {
				type: "array",
				items: {
					type: "object",
					properties: { oldText: string(), newText: string() },
					required: ["oldText", "newText"],
					additionalProperties: false,
				},
			},
		},
		["path", "edits"],
		{ additionalProperties: false },
	),
	tool(
		"write",
		"Write content to a file. Creates the file if it doesn't exist.",
		{ path: string(), content: string() },
		["path", "content"],
	),
	tool(
		"grep",
		"Search file contents for a pattern.",
		{
			pattern: string(),
			path: string(),
			glob: string(),
			ignoreCase: boolean(),
			literal: boolean(),
			context: number(),
			limit: number(),
		},
		["pattern"],
	),
	tool("find", "Search for files by glob pattern.", { pattern: string(), path: string(), limit: number() }, [
		"pattern",
	]),
	tool("ls", "List directory contents.", { path: string(), limit: number() }),
];

const copilot = [
	tool(
		"bash",
		"Runs a Bash command in an interactive session.",
		{
			command: string(),
			description: string(),
			mode: { type: "string", enum: ["sync", "async"] },
			initial_wait: integer(),
			sessionId: string(),
		},
		["command", "description"],
	),
	tool("write_bash", "Sends input to a running bash session.", { sessionId: string(), input: string() }, [
		"sessionId",
		"input",
	]),
	tool("read_bash", "Reads output from a bash command.", { sessionId: string(), delay: integer() }, [
		"sessionId",
		"delay",
	]),
	tool("stop_bash", "Stops a running bash command.", { sessionId: string() }, ["sessionId"]),
	tool(
		"view",
		"Tool for viewing files and directories. It shows a file with line numbers.",
		{
			path: string("Full absolute path to file or directory"),
			view_range: { type: "array", items: { type: "integer" } },
		},
		["path"],
	),
	tool(
		"create",
		"Tool for creating new files.",
		{ path: string(), file_text: string("The content of the file to be created") },
		["path", "file_text"],
	),
	tool(
		"edit",
		"Tool for making string replacements in files.",
		{ path: string(), old_str: string(), new_str: string() },
		["path", "old_str", "new_str"],
	),
	tool(
		"grep",
		"Search file contents with ripgrep.",
		{
			pattern: string(),
			path: string(),
			glob: string(),
			type: string(),
			"-i": boolean(),
			"-n": boolean(),
			output_mode: { type: "string", enum: ["content", "files_with_matches", "count"] },
		},
		["pattern"],
	),
	tool("glob", "Find files by glob pattern.", { pattern: string(), path: string() }, ["pattern"]),
	tool(
		"web_fetch",
		"Fetches a URL from the internet and returns the page.",
		{ url: string(), max_length: integer(), raw: boolean() },
		["url"],
	),
];

/** Tool sets by client. */
export const CLIENTS = {
	opencode,
	codex,
	claudeCode,
	cline,
	clineClassic,
	continueCli,
	qwen,
	goose,
	gooseLegacy,
	pi,
	copilot,
} satisfies Record<string, ToolDefinition[]>;

export type ClientName = keyof typeof CLIENTS;
