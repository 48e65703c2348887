import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetServerConfigResponseSchema, Http2Config } from "@cursorwire/protocol/aiserver";
import type { Account } from "../accounts/account.ts";
import type { Backend } from "../backend.ts";

/** Transport switch and agent hosts of an account. */
export function serverConfig(
	backend: Backend,
	account: Account,
): MessageInitShape<typeof GetServerConfigResponseSchema> {
	return {
		configVersion: `emulator-${account.region}`,
		http2Config: Number(backend.switches.get("http2-config")) as Http2Config,
		// Named only where they differ: whoever came by another name or through a proxy stays on that way.
		...(backend.separateAgentHosts && {
			agentUrlConfig: { agentUrl: backend.urls.agent, agentnUrl: backend.urls.agentn },
		}),
	};
}
