import { StreamUnifiedChatRequest_ThinkingLevel as ThinkingLevel } from "@cursorwire/protocol/aiserver";
import { GatewayError } from "../../../turn/error.ts";
import type { CountUnknown } from "../../census/census.ts";
import type { ChannelChooser } from "../../channels/channel-chooser.ts";
import { offeredTools } from "../../writing/offered-tools.ts";
import { ToolNames } from "../../writing/tool-names.ts";
import type { Driver } from "../driver.ts";
import { UnifiedMachine } from "./machine.ts";
import { chatRequest, levelOf } from "./unified-request.ts";

export interface UnifiedOptions {
	channels: ChannelChooser;
	/** False for `StreamUnifiedChat`, which has no way back for the results of tools. */
	takesTools: boolean;
	countUnknown: CountUnknown;
}

/** `aiserver.v1.ChatService`, what the editor spoke before the agent service. */
export function unifiedDriver({ channels, takesTools, countUnknown }: UnifiedOptions): Driver {
	return {
		protocol: "unified",
		channels,
		countUnknown,
		sendsEffort: (effort) => levelOf(effort) !== ThinkingLevel.UNSPECIFIED,
		begin(plan, services) {
			const tools = offeredTools(plan.request);
			if (tools.length > 0 && !takesTools) {
				throw new GatewayError("invalid-request", "Cursor's plain unified chat has no tools.", {
					param: "tools",
					nextStep: "Send the request without tools, or give the setting unifiedStream the value auto or idempotent.",
				});
			}
			const names = new ToolNames(tools);
			const first = chatRequest(plan, tools, names, services.newId);
			const { parallelToolCalls } = plan.request;
			const machine = new UnifiedMachine({ names, tools, parallelToolCalls, countUnknown, ...services });
			return { machine, first };
		},
	};
}
