import type { MessageObserver } from "../census/census.ts";
import type { ChannelChooser } from "../channel-chooser.ts";
import type { Driver } from "../driver.ts";
import { legacyRequest } from "./chat-request.ts";
import { LegacyMachine } from "./machine.ts";

/** `aiserver.v1.AiService/StreamChat`, the oldest chat: text and nothing else. */
export function legacyDriver(channels: ChannelChooser, observe: MessageObserver): Driver {
	return {
		protocol: "legacy",
		channels,
		observe,
		begin: (plan, { newId, limits }) => ({
			first: legacyRequest(plan, newId),
			machine: new LegacyMachine(limits, observe),
		}),
	};
}
