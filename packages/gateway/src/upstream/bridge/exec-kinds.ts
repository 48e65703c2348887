import type { ExecArgs, ExecCase, ExecKind } from "./exec-kind.ts";
import { DELETE } from "./kinds/delete.ts";
import { PI_EDIT } from "./kinds/edit.ts";
import { FETCH } from "./kinds/fetch.ts";
import { LS, PI_LS } from "./kinds/list.ts";
import { LIST_MCP_RESOURCES, MCP_PRECHECK, MCP_STATE, READ_MCP_RESOURCE } from "./kinds/mcp.ts";
import { PI_READ, READ } from "./kinds/read.ts";
import {
	ADOPT,
	AGENT_STORE_CONFLICT,
	CANVAS_DIAGNOSTICS,
	COMPUTER_USE,
	CONVERSATION_SEARCH,
	DIAGNOSTICS,
	FORCE_BACKGROUND_SHELL,
	FORCE_BACKGROUND_SUBAGENT,
	RECORD_SCREEN,
	REDACTED_READ,
	SHELL_PRECHECK,
	SMART_MODE_CLASSIFIER,
	SUBAGENT,
	SUBAGENT_AWAIT,
	WEB_FETCH_PRECHECK,
	WRITE_SHELL_STDIN,
} from "./kinds/refusals.ts";
import { GREP, PI_FIND, PI_GREP } from "./kinds/search.ts";
import { BACKGROUND_SHELL, MINI_SWE_BASH, PI_BASH, SHELL, SHELL_STREAM } from "./kinds/shell.ts";
import { PI_WRITE, WRITE } from "./kinds/write.ts";

/** How each built-in request is handled. A kind added to the protocol does not compile until it has a line here. */
export const EXEC_KINDS: { readonly [C in ExecCase]: ExecKind<ExecArgs<C>> } = {
	shellArgs: SHELL,
	shellStreamArgs: SHELL_STREAM,
	miniSweAgentBashArgs: MINI_SWE_BASH,
	piBashArgs: PI_BASH,
	backgroundShellSpawnArgs: BACKGROUND_SHELL,
	readArgs: READ,
	piReadArgs: PI_READ,
	writeArgs: WRITE,
	piWriteArgs: PI_WRITE,
	piEditArgs: PI_EDIT,
	deleteArgs: DELETE,
	lsArgs: LS,
	piLsArgs: PI_LS,
	grepArgs: GREP,
	piGrepArgs: PI_GREP,
	piFindArgs: PI_FIND,
	fetchArgs: FETCH,

	mcpStateExecArgs: MCP_STATE,
	listMcpResourcesExecArgs: LIST_MCP_RESOURCES,
	readMcpResourceExecArgs: READ_MCP_RESOURCE,
	mcpAllowlistPrecheckArgs: MCP_PRECHECK,
	shellAllowlistPrecheckArgs: SHELL_PRECHECK,
	webFetchAllowlistPrecheckArgs: WEB_FETCH_PRECHECK,
	subagentAwaitArgs: SUBAGENT_AWAIT,
	forceBackgroundShellArgs: FORCE_BACKGROUND_SHELL,
	forceBackgroundSubagentArgs: FORCE_BACKGROUND_SUBAGENT,

	diagnosticsArgs: DIAGNOSTICS,
	redactedReadArgs: REDACTED_READ,
	recordScreenArgs: RECORD_SCREEN,
	computerUseArgs: COMPUTER_USE,
	writeShellStdinArgs: WRITE_SHELL_STDIN,
	subagentArgs: SUBAGENT,
	smartModeClassifierArgs: SMART_MODE_CLASSIFIER,
	canvasDiagnosticsArgs: CANVAS_DIAGNOSTICS,
	conversationSearchArgs: CONVERSATION_SEARCH,
	agentStoreConflictArgs: AGENT_STORE_CONFLICT,
	adoptArgs: ADOPT,

	executeHookArgs: { error: "There are no hooks here." },
	gitDiffRequest: { error: "There is no repository here." },

	// These are answered before they get here.
	mcpArgs: { error: "Not a built-in request." },
	requestContextArgs: { error: "Not a built-in request." },
};
