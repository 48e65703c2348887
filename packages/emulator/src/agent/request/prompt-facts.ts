import { RequestContextSchema, SelectedContextSchema, UserMessageSchema } from "@cursorwire/protocol/agent";
import type { Turn } from "../../brains/brain.ts";
import { otherFields } from "../../prompts/other-fields.ts";
import type { PromptFacts } from "../../prompts/prompt.ts";
import { advertisedTools, toTool } from "./advertised-tools.ts";
import type { TurnParts } from "./build-turn.ts";
import { ruleTexts, systemTexts } from "./system-texts.ts";

/** Fields that are shown elsewhere, and ids that no model reads. */
const KNOWN = {
	context: ["rules", "nonFileRules", "cloudRule", "tools"],
	message: ["text", "textBlobId", "messageId", "mode", "selectedContext", "conversationStateBlobId"],
	selected: ["selectedImages"],
};

/** What the model reads in a run, by where it stood on the wire. */
export function promptFacts(parts: TurnParts, turn: Turn): PromptFacts {
	const { request, link, roots, context } = parts;
	const { userMessage } = parts.opening;
	const { switches } = parts.backend;
	const advertised = turn.tools.length > 0 ? advertisedTools(request, context, switches) : [];
	return {
		protocol: "agent",
		rpc: link.channel.rpc,
		conversationId: turn.conversationId,
		model: turn.model.id,
		mode: turn.mode,
		system: [...systemTexts(request, roots, switches), ...ruleTexts(context, switches)],
		tools: advertised.map(({ place, tool }) => ({ place, ...toTool(tool) })),
		builtins: turn.builtins,
		context: {
			...otherFields("request_context", RequestContextSchema, context, KNOWN.context),
			...otherFields("user_message", UserMessageSchema, userMessage, KNOWN.message),
			...otherFields("selected_context", SelectedContextSchema, userMessage?.selectedContext, KNOWN.selected),
		},
		history: turn.resumed ? turn.messages : turn.messages.slice(0, -1),
		newest: turn.resumed ? undefined : turn.messages.at(-1),
	};
}
