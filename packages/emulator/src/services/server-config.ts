import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GetServerConfigResponseSchema, Http2Config } from "@cursorwire/protocol/aiserver";
import type { Account } from "../accounts/account.ts";
import type { Backend } from "../backend.ts";

/** ServerConfigService/GetServerConfig: HTTP version and agent hosts (docs/protocol.md, Hosts and headers). */
export function serverConfig(
	backend: Backend,
	account: Account,
): MessageInitShape<typeof GetServerConfigResponseSchema> {
	return {
		configVersion: `emulator-${account.region}`,
		http2Config: Number(backend.switches.get("http2-config")) as Http2Config,
		// Only if they differ from the main host, so that a client which came through a proxy keeps using it.
		...(backend.separateAgentHosts && {
			agentUrlConfig: { agentUrl: backend.urls.agent, agentnUrl: backend.urls.agentn },
		}),
	};
}
