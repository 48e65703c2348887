import {
	type AdoptArgs,
	type AgentStoreConflictArgs,
	type CanvasDiagnosticsArgs,
	type ComputerUseArgs,
	type ConversationSearchArgs,
	type DiagnosticsArgs,
	type ForceBackgroundShellArgs,
	ForceBackgroundShellStatus,
	type ForceBackgroundSubagentArgs,
	ForceBackgroundSubagentStatus,
	type ReadArgs,
	type RecordScreenArgs,
	type ShellAllowlistPrecheckArgs,
	type SmartModeClassifierArgs,
	type SubagentArgs,
	type SubagentAwaitArgs,
	type WebFetchAllowlistPrecheckArgs,
	type WriteShellStdinArgs,
} from "@cursorwire/protocol/agent";
import { refused, type SettledKind } from "../exec-kind.ts";

// Requests that no client tool can handle. Each is refused with its own result type.

export const DIAGNOSTICS = refused<DiagnosticsArgs>(({ path }, reason) => [
	{ case: "diagnosticsResult", value: { result: { case: "rejected", value: { path, reason } } } },
]);

/** Asks for secrets to be redacted, which the gateway cannot do. */
export const REDACTED_READ = refused<ReadArgs>(({ path }, reason) => [
	{ case: "redactedReadResult", value: { result: { case: "rejected", value: { path, reason } } } },
]);

export const RECORD_SCREEN = refused<RecordScreenArgs>((_args, error) => [
	{ case: "recordScreenResult", value: { result: { case: "failure", value: { error } } } },
]);

export const COMPUTER_USE = refused<ComputerUseArgs>((_args, error) => [
	{ case: "computerUseResult", value: { result: { case: "error", value: { error } } } },
]);

export const WRITE_SHELL_STDIN = refused<WriteShellStdinArgs>((_args, error) => [
	{ case: "writeShellStdinResult", value: { result: { case: "error", value: { error } } } },
]);

export const SUBAGENT = refused<SubagentArgs>((_args, error) => [
	{ case: "subagentResult", value: { result: { case: "error", value: { error } } } },
]);

export const SMART_MODE_CLASSIFIER = refused<SmartModeClassifierArgs>((_args, error) => [
	{ case: "smartModeClassifierResult", value: { result: { case: "error", value: { error } } } },
]);

export const CANVAS_DIAGNOSTICS = refused<CanvasDiagnosticsArgs>(({ path }, error) => [
	{ case: "canvasDiagnosticsResult", value: { result: { case: "error", value: { path, error } } } },
]);

export const CONVERSATION_SEARCH = refused<ConversationSearchArgs>((_args, error) => [
	{ case: "conversationSearchResult", value: { result: { case: "error", value: { error } } } },
]);

export const AGENT_STORE_CONFLICT = refused<AgentStoreConflictArgs>((_args, error) => [
	{ case: "agentStoreConflictResult", value: { result: { case: "error", value: { error } } } },
]);

export const ADOPT = refused<AdoptArgs>(({ sourceAgentId }, error) => [
	{ case: "adoptResult", value: { sourceAgentId, result: { case: "error", value: error } } },
]);

// Requests about something that does not exist here, so the answer is "not found".

export const SUBAGENT_AWAIT: SettledKind<SubagentAwaitArgs> = {
	settle: ({ agentId }) => [
		{ case: "subagentAwaitResult", value: { result: { case: "notFound", value: { agentId } } } },
	],
};

export const FORCE_BACKGROUND_SHELL: SettledKind<ForceBackgroundShellArgs> = {
	settle: () => [{ case: "forceBackgroundShellResult", value: { status: ForceBackgroundShellStatus.NOT_FOUND } }],
};

export const FORCE_BACKGROUND_SUBAGENT: SettledKind<ForceBackgroundSubagentArgs> = {
	settle: () => [{ case: "forceBackgroundSubagentResult", value: { status: ForceBackgroundSubagentStatus.NOT_FOUND } }],
};

// Prechecks for Cursor's own tools. Nothing is on the allowlist, so Cursor always asks first.

export const SHELL_PRECHECK: SettledKind<ShellAllowlistPrecheckArgs> = {
	settle: () => [{ case: "shellAllowlistPrecheckResult", value: { allowlisted: false } }],
};

export const WEB_FETCH_PRECHECK: SettledKind<WebFetchAllowlistPrecheckArgs> = {
	settle: () => [{ case: "webFetchAllowlistPrecheckResult", value: { allowlisted: false } }],
};
