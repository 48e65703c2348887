// Requests that a brain makes in the words of the agent protocol, as tools of the unified protocol.
import { ClientSideToolV2 } from "@cursorwire/protocol/aiserver";

type ToolName = keyof typeof ClientSideToolV2;

interface ClientTool {
	tool: ToolName;
	params: object;
}

/** A tool that no client knows. */
const UNKNOWN_TOOL = 900;

/** Exec requests by their kind, with the names and fields that they have in the unified protocol. */
const EXEC_TOOLS: Record<string, (args: Record<string, unknown>) => ClientTool> = {
	read: ({ path }) => ({
		tool: "READ_FILE",
		params: { readFileParams: { relativeWorkspacePath: path, readEntireFile: true } },
	}),
	write: ({ path, fileText, file_text }) => ({
		tool: "EDIT_FILE",
		params: { editFileParams: { relativeWorkspacePath: path, contents: fileText ?? file_text ?? "" } },
	}),
	delete: ({ path }) => ({ tool: "DELETE_FILE", params: { deleteFileParams: { relativeWorkspacePath: path } } }),
	ls: ({ path }) => ({ tool: "LIST_DIR", params: { listDirParams: { directoryPath: path ?? "." } } }),
	grep: ({ pattern, path }) => ({ tool: "RIPGREP_RAW_SEARCH", params: { ripgrepRawSearchParams: { pattern, path } } }),
	glob: ({ pattern }) => ({ tool: "GLOB_FILE_SEARCH", params: { globFileSearchParams: { globPattern: pattern } } }),
	shell: terminal,
	shell_stream: terminal,
	background_shell_spawn: (args) => {
		const { tool, params } = terminal(args);
		return {
			tool,
			params: { runTerminalCommandV2Params: { ...params.runTerminalCommandV2Params, isBackground: true } },
		};
	},
	edit: ({ path, oldString, newString }) => ({
		tool: "EDIT_FILE",
		params: { editFileParams: { relativeWorkspacePath: path, oldString, newString } },
	}),
	web_search: ({ query }) => ({ tool: "WEB_SEARCH", params: { webSearchParams: { searchTerm: query } } }),
};

/** Interaction queries, which are calls of tools in the unified protocol. */
const QUERY_TOOLS: Record<string, ToolName> = {
	web_search_request_query: "WEB_SEARCH",
	web_fetch_request_query: "WEB_FETCH",
	ask_question_interaction_query: "ASK_QUESTION",
	switch_mode_request_query: "SWITCH_MODE",
	create_plan_request_query: "CREATE_PLAN",
	generate_image_request_query: "GENERATE_IMAGE",
	mcp_auth_request_query: "MCP_AUTH",
};

/** The tool that stands for an exec request, by its number, and the arguments in its own type. */
export function execTool(kind: string, args: Record<string, unknown>): { tool: number; params: object } {
	const known = EXEC_TOOLS[kind]?.(args);
	return known ? { tool: ClientSideToolV2[known.tool], params: known.params } : { tool: UNKNOWN_TOOL, params: {} };
}

/** The number of the tool that stands for a query. */
export function queryTool(kind: string): number {
	const tool = QUERY_TOOLS[kind];
	return tool === undefined ? UNKNOWN_TOOL : ClientSideToolV2[tool];
}

function terminal({ command, workingDirectory, working_directory }: Record<string, unknown>) {
	return {
		tool: "RUN_TERMINAL_COMMAND_V2" as const,
		params: { runTerminalCommandV2Params: { command, cwd: workingDirectory ?? working_directory } },
	};
}
