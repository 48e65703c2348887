import type { CountUnknown } from "../../census/census.ts";
import type { ChannelChooser } from "../../channels/channel-chooser.ts";
import type { Driver } from "../driver.ts";
import { legacyRequest } from "./legacy-request.ts";
import { LegacyMachine } from "./machine.ts";

/** `aiserver.v1.AiService/StreamChat`, the oldest protocol: text and nothing else. */
export function legacyDriver(channels: ChannelChooser, countUnknown: CountUnknown): Driver {
	return {
		protocol: "legacy",
		channels,
		countUnknown,
		begin: (plan, { newId, limits }) => ({
			first: legacyRequest(plan, newId),
			machine: new LegacyMachine(limits, countUnknown),
		}),
	};
}
