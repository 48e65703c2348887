import { fromBinary, toBinary, toJson } from "@bufbuild/protobuf";
import { NameAgentRequestSchema, PromptContextUsageTreeSchema } from "@cursorwire/protocol/agent";
import type { Backend } from "../backend.ts";
import type { Exchange } from "../http/exchange.ts";
import type { Router } from "../http/router.ts";
import { CODES, RpcFailure } from "../rpc/failure.ts";
import { lengthDelimited } from "../rpc/raw-proto.ts";
import { toFailure } from "../rpc/unary.ts";
import { contextTree } from "../token-usage/context-usage.ts";

/**
 * AgentService/GetPromptContextUsage {1 conversation_id} → {1 snapshot {1 prompt_context_usage_tree}}. Both messages are
 * handled by field number, because the proto files leave them out.
 */
export function addPromptContextUsage(router: Router, backend: Backend): void {
	router.add("POST", "/agent.v1.AgentService/GetPromptContextUsage", async (exchange) => {
		try {
			backend.directory.byAccessToken(exchange.headers.authorization);
			const isJson = exchange.headers["content-type"]?.startsWith("application/json") ?? false;
			const conversationId = await conversationOf(exchange, isJson);
			const usage = backend.contextUsages.of(conversationId);
			if (!usage) throw new RpcFailure("not_found", `no turn of conversation "${conversationId}" is known`);
			const tree = contextTree(usage);
			if (isJson) {
				const promptContextUsageTree = toJson(PromptContextUsageTreeSchema, tree);
				return exchange.json(200, { snapshot: { promptContextUsageTree } });
			}
			const snapshot = lengthDelimited(1, toBinary(PromptContextUsageTreeSchema, tree));
			exchange.send(200, { "content-type": "application/proto" }, lengthDelimited(1, snapshot));
		} catch (error) {
			const failure = toFailure(error);
			exchange.json(CODES[failure.code].status, failure.toJson());
		}
	});
}

async function conversationOf(exchange: Exchange, isJson: boolean): Promise<string> {
	const body = await exchange.body();
	try {
		if (isJson) return String(JSON.parse(body.toString("utf8") || "{}").conversationId ?? "");
		// Any message whose first field is a string can read this request.
		return fromBinary(NameAgentRequestSchema, body).userMessage;
	} catch (error) {
		throw new RpcFailure("invalid_argument", `cannot read GetPromptContextUsageRequest: ${(error as Error).message}`);
	}
}
