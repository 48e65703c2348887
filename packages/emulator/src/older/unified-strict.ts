import type { StreamUnifiedChatRequest } from "@cursorwire/protocol/aiserver";
import { RpcFailure } from "../rpc/failure.ts";

/** Headers that every known client of this protocol sends. */
const HEADERS = ["x-cursor-checksum", "x-cursor-client-version", "x-cursor-timezone", "x-client-key", "x-request-id"];

/** With --strict: refuses what Cursor's own servers would not accept. */
export function refuseSloppyRequest(request: StreamUnifiedChatRequest, headers: Record<string, string>): void {
	const missing = HEADERS.find((name) => !headers[name]);
	if (missing) throw new RpcFailure("unauthenticated", `strict: header ${missing} is missing`);
	const ids = request.conversation.map(({ bubbleId }) => bubbleId);
	if (new Set(ids).size < ids.length || ids.includes("")) {
		throw new RpcFailure("invalid_argument", "strict: every message needs a bubble_id of its own");
	}
	const known = request.fullConversationHeadersOnly.map(({ bubbleId }) => bubbleId);
	if (ids.some((id) => !known.includes(id))) {
		throw new RpcFailure("invalid_argument", "strict: full_conversation_headers_only lacks a message");
	}
	if (!request.conversationId) throw new RpcFailure("invalid_argument", "strict: conversation_id is missing");
}
