import { create, toBinary } from "@bufbuild/protobuf";
import {
	ClientSideToolV2,
	StreamUnifiedChatRequestWithToolsSchema,
	StreamUnifiedChatRequest_ThinkingLevel as ThinkingLevel,
} from "@cursorwire/protocol/aiserver";
import type { Effort, ToolDefinition } from "../../../turn/request.ts";
import { choiceRule } from "../../writing/offered-tools.ts";
import type { ToolNames } from "../../writing/tool-names.ts";
import type { RunPlan, SystemPromptChannel } from "../driver.ts";
import { conversation, headers } from "./history.ts";
import { unifiedMode } from "./modes.ts";

/** The server under whose name the client's tools are offered. */
const TOOL_SERVER = "client";

/** There are two levels and none. */
const LEVELS: Readonly<Record<Effort, ThinkingLevel>> = {
	none: ThinkingLevel.UNSPECIFIED,
	minimal: ThinkingLevel.UNSPECIFIED,
	low: ThinkingLevel.MEDIUM,
	medium: ThinkingLevel.MEDIUM,
	high: ThinkingLevel.HIGH,
	xhigh: ThinkingLevel.HIGH,
};

export const levelOf = (effort: Effort): ThinkingLevel => LEVELS[effort];

/** The message that opens a unified chat. */
export function chatRequest(
	plan: RunPlan,
	tools: readonly ToolDefinition[],
	names: ToolNames,
	newId: () => string,
): Uint8Array {
	const { request, model, environment } = plan;
	const system = [...request.system, ...choiceRule(request.toolChoice)].join("\n\n");
	const bubbles = conversation(request.messages, names, newId);
	const hasTools = tools.length > 0;
	const { mode, name } = unifiedMode(request.mode, hasTools);
	const value = {
		conversation: bubbles,
		fullConversationHeadersOnly: headers(bubbles),
		conversationId: plan.conversationId,
		isResume: request.messages.at(-1)?.role !== "user",
		modelDetails: { modelName: model.name, maxMode: model.maxMode, enableGhostMode: plan.ghostMode },
		thinkingLevel: levelOf(request.thinking.effort ?? "none"),
		...(system !== "" && systemPrompt(system, plan.systemPrompt)),
		environmentInfo: { exthostRelease: environment.osVersion, localTimezone: environment.timeZone },
		unifiedMode: mode,
		unifiedModeName: name,
		isChat: !hasTools,
		isAgentic: hasTools,
		shouldDisableTools: !hasTools,
		supportedTools: hasTools ? [ClientSideToolV2.MCP] : [],
		mcpTools: tools.map((tool) => ({
			name: names.wire(tool.name),
			description: tool.description,
			parameters: JSON.stringify(tool.inputSchema),
			serverName: TOOL_SERVER,
		})),
	};
	const message = create(StreamUnifiedChatRequestWithToolsSchema, {
		request: { case: "streamUnifiedChatRequest", value },
	});
	return toBinary(StreamUnifiedChatRequestWithToolsSchema, message);
}

/** The context is where other clients put it; a rule says that it always holds. There is no third place. */
function systemPrompt(text: string, channel: SystemPromptChannel) {
	const rule = { name: "system", description: "", body: text, alwaysApply: true };
	const asRule = channel === "rules" || channel === "all";
	const context = channel === "rules" ? "" : text;
	return { explicitContext: { context, rules: asRule ? [rule] : [] }, usesRules: asRule };
}
