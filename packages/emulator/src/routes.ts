import { AgentClientMessageSchema, AgentServerMessageSchema, AgentService } from "@cursorwire/protocol/agent";
import { agentRun } from "./agent/run.ts";
import { addLogin } from "./auth/login.ts";
import { addTokenEndpoints } from "./auth/token-endpoints.ts";
import type { Backend } from "./backend.ts";
import { bidiAppend } from "./bidi/append.ts";
import type { BidiService } from "./bidi/channel.ts";
import { duplex } from "./bidi/duplex.ts";
import { poll } from "./bidi/poll.ts";
import { sse } from "./bidi/sse.ts";
import { Router } from "./http/router.ts";
import { addOlderProtocols } from "./older/routes.ts";
import { addPromptContextUsage } from "./services/prompt-context-usage.ts";
import { addRest } from "./services/rest.ts";
import { addUnaryRpcs } from "./services/unary-rpcs.ts";
import { addWeb } from "./services/web.ts";

const RUN_TYPES = { input: AgentClientMessageSchema, output: AgentServerMessageSchema };

/** Every path that Cursor's backend serves. The emulator's own control paths are added in emulator.ts. */
export function makeRouter(backend: Backend): Router {
	const router = new Router();
	addLogin(router, backend);
	addTokenEndpoints(router, backend);
	addUnaryRpcs(router, backend);
	addPromptContextUsage(router, backend);
	addRest(router, backend);
	addWeb(router, backend);
	const run: BidiService = backend.replay?.service("agent", backend.stats) ?? ((channel) => agentRun(channel, backend));
	const path = (rpc: string) => `/${AgentService.typeName}/${rpc}`;
	router.add("POST", path("Run"), duplex(backend, "Run", run, RUN_TYPES));
	router.add("POST", path("RunSSE"), sse(backend, "RunSSE", run, RUN_TYPES));
	router.add("POST", path("RunPoll"), poll(backend, "RunPoll", run));
	router.add("POST", "/aiserver.v1.BidiService/BidiAppend", bidiAppend(backend));
	addOlderProtocols(router, backend);
	return router;
}
