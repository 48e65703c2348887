import {
	ExplicitContextSchema,
	type StreamUnifiedChatRequest,
	StreamUnifiedChatRequestSchema,
} from "@cursorwire/protocol/aiserver";
import type { Turn } from "../brains/brain.ts";
import { otherFields } from "../prompts/other-fields.ts";
import type { PromptFacts, SystemText } from "../prompts/prompt.ts";

export function systemTexts({ explicitContext }: StreamUnifiedChatRequest): SystemText[] {
	return explicitContext?.context ? [{ channel: "explicit_context.context", text: explicitContext.context }] : [];
}

export function ruleTexts({ explicitContext, conversation }: StreamUnifiedChatRequest): SystemText[] {
	const channels = {
		"explicit_context.rules": explicitContext?.rules ?? [],
		cursor_rules: conversation.flatMap(({ cursorRules }) => cursorRules),
	};
	return Object.entries(channels).flatMap(([channel, rules]) =>
		rules.map((rule) => ({ channel, text: rule.body ?? rule.description })),
	);
}

/** Fields that are shown elsewhere, or that are not part of the prompt. */
const KNOWN = [
	"conversation",
	"fullConversationHeadersOnly",
	"conversationId",
	"explicitContext",
	"mcpTools",
	"supportedTools",
	"modelDetails",
	"thinkingLevel",
	"unifiedMode",
	"unifiedModeName",
];

/** What the model reads in a run of the unified protocol, by where it stood on the wire. */
export function unifiedPrompt(request: StreamUnifiedChatRequest, turn: Turn, rpc: string): PromptFacts {
	return {
		...conversationFacts(turn),
		protocol: "unified",
		rpc,
		system: [...systemTexts(request), ...ruleTexts(request)],
		tools: turn.tools.map((tool) => ({ place: "mcp_tools", ...tool })),
		context: {
			...otherFields("request", StreamUnifiedChatRequestSchema, request, KNOWN),
			...otherFields("explicit_context", ExplicitContextSchema, request.explicitContext, ["context", "rules"]),
		},
	};
}

/** What both older protocols share. The newest message is the last one, if the user wrote it. */
export function conversationFacts(turn: Turn) {
	const last = turn.messages.at(-1);
	const newest = last?.role === "user" && !turn.resumed ? last : undefined;
	return {
		conversationId: turn.conversationId,
		model: turn.model.id,
		mode: turn.mode,
		builtins: turn.builtins,
		history: newest ? turn.messages.slice(0, -1) : turn.messages,
		newest,
	};
}
