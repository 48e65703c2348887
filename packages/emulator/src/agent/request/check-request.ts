import type { AgentRunRequest, ConversationAction } from "@cursorwire/protocol/agent";
import type { Account } from "../../accounts/account.ts";
import type { Backend } from "../../backend.ts";
import { type ErrorName, RpcFailure } from "../../rpc/failure.ts";
import type { AgentLink } from "../stream/link.ts";
import { userMessageOf } from "./opening.ts";
import { refuseSloppyRequest } from "./strict.ts";

const LARGEST_USER_TEXT = 1 << 20;

/** Refuses requests that are wrong for any model (docs/protocol.md, The first message). Returns their action. */
export function checkRequest(
	request: AgentRunRequest,
	link: AgentLink,
	backend: Backend,
	account: Account,
): ConversationAction {
	if (!request.conversationState) throw new RpcFailure("invalid_argument", "conversation_state is required");
	if (!request.action?.action.case) throw new RpcFailure("invalid_argument", "action is required");
	if (backend.strict) refuseSloppyRequest(request, link.channel.exchange);
	if (request.excludeWorkspaceContext && backend.switches.get("exclude-workspace-context") === "refused") {
		throw new RpcFailure("invalid_argument", "exclude_workspace_context is not available for this account");
	}
	if (request.customSystemPrompt && !account.customSystemPrompt) {
		throw new RpcFailure("invalid_argument", "custom_system_prompt is not available for this account");
	}
	if (account.blocked) {
		throw new RpcFailure("permission_denied", "Error", {
			error: account.blocked as ErrorName,
			title: "Account blocked",
			detail: "This account may not use the service.",
			isRetryable: false,
		});
	}
	const text = userMessageOf(request.action.action)?.text ?? "";
	if (text.length > LARGEST_USER_TEXT) throw new RpcFailure("invalid_argument", "the user message is too long");
	refuseHistory(request.action, backend);
	return request.action;
}

function refuseHistory({ action }: ConversationAction, backend: Backend): void {
	if (action.case !== "userMessageAction" || !action.value.conversationHistory) return;
	if (backend.switches.get("conversation-history") !== "refused") return;
	throw new RpcFailure("invalid_argument", "conversation_history is not available for this account");
}
