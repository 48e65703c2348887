import type { AgentRunRequest } from "@cursorwire/protocol/agent";
import type { Exchange } from "../../http/exchange.ts";
import { RpcFailure } from "../../rpc/failure.ts";

/** With --strict: refuses fields that the proto files do not have, at any depth. */
export function refuseUnknownFields(message: object, path = "message"): void {
	const unknown = (message as { $unknown?: { no: number }[] }).$unknown;
	if (unknown && unknown.length > 0) {
		throw new RpcFailure("invalid_argument", `strict: unknown field ${unknown[0]!.no} in ${path}`);
	}
	for (const [name, value] of Object.entries(message)) {
		if (name.startsWith("$") || value === null || typeof value !== "object" || value instanceof Uint8Array) continue;
		refuseUnknownFields(value, `${path}.${name}`);
	}
}

const NEEDED_HEADERS = ["x-cursor-client-type", "x-cursor-client-version", "x-ghost-mode", "x-request-id"];

/** With --strict: requires the headers of every official client (docs/protocol.md, Hosts and headers). */
export function refuseMissingHeaders(exchange: Exchange): void {
	for (const name of NEEDED_HEADERS) {
		if (!exchange.headers[name]) throw new RpcFailure("invalid_argument", `strict: header ${name} is missing`);
	}
	if (!["true", "false"].includes(exchange.headers["x-ghost-mode"]!)) {
		throw new RpcFailure("invalid_argument", "strict: x-ghost-mode is neither true nor false");
	}
}

const TOOL_NAME = /^[A-Za-z0-9_-]{1,128}$/;

/** With --strict: refuses run requests without fields that every official client sends. */
export function refuseSloppyRequest(request: AgentRunRequest, exchange: Exchange): void {
	if (!request.mcpTools) throw new RpcFailure("invalid_argument", "strict: mcp_tools is missing (it may be empty)");
	if (!request.conversationId) throw new RpcFailure("invalid_argument", "strict: conversation_id is missing");
	const original = exchange.headers["x-original-request-id"];
	if (request.runId && original && request.runId !== original) {
		throw new RpcFailure("invalid_argument", "strict: run_id differs from x-original-request-id");
	}
	const names = new Set<string>();
	for (const tool of request.mcpTools.mcpTools) {
		if (!TOOL_NAME.test(tool.name)) throw new RpcFailure("invalid_argument", `strict: tool name "${tool.name}"`);
		if (names.has(tool.name)) throw new RpcFailure("invalid_argument", `strict: tool "${tool.name}" stands twice`);
		names.add(tool.name);
	}
}
