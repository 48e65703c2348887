import { AiService, ChatService } from "@cursorwire/protocol/aiserver";
import type { Backend } from "../backend.ts";
import type { BidiService } from "../bidi/channel.ts";
import { duplex } from "../bidi/duplex.ts";
import { poll } from "../bidi/poll.ts";
import { serverStream } from "../bidi/server-stream.ts";
import { sse } from "../bidi/sse.ts";
import type { Router } from "../http/router.ts";
import { type ErrorName, RpcFailure } from "../rpc/failure.ts";
import { legacyRun } from "./legacy-run.ts";
import { idempotentRun } from "./unified-idempotent.ts";
import { unifiedRun } from "./unified-run.ts";
import { plainTransport, toolTransport } from "./unified-transports.ts";

/** RPCs beside StreamChat that Cursor has switched off. */
const RETIRED_RPCS = [
	"StreamChatToolformer",
	"StreamChatToolformerContinue",
	"StreamChatTryReallyHard",
	"StreamChatWeb",
	"StreamComposer",
];
const WITH_TOOLS = "StreamUnifiedChatWithTools";

/** The RPCs of the unified and the legacy protocol: docs/older-protocols.md. */
export function addOlderProtocols(router: Router, backend: Backend): void {
	const open =
		(service: BidiService): BidiService =>
		async (channel) => {
			refuseIfRetired(backend);
			await service(channel);
		};
	const plain = open((channel) => unifiedRun(plainTransport(channel), backend, channel.exchange));
	const recorded = (protocol: "unified" | "legacy") => backend.replay?.service(protocol, backend.stats);
	const withTools = open(
		recorded("unified") ?? ((channel) => unifiedRun(toolTransport(channel), backend, channel.exchange)),
	);
	const idempotent = open(idempotentRun(backend));
	const path = (rpc: string) => `/${ChatService.typeName}/${rpc}`;

	router.add("POST", path("StreamUnifiedChat"), serverStream(backend, "StreamUnifiedChat", plain));
	for (const [name, service] of [
		[WITH_TOOLS, withTools],
		[`${WITH_TOOLS}Idempotent`, idempotent],
	] as const) {
		router.add("POST", path(name), duplex(backend, name, service));
		router.add("POST", path(`${name}SSE`), sse(backend, `${name}SSE`, service));
		router.add("POST", path(`${name}Poll`), poll(backend, `${name}Poll`, service));
	}
	const legacy = open(recorded("legacy") ?? ((channel) => legacyRun(channel, backend)));
	router.add("POST", `/${AiService.typeName}/StreamChat`, serverStream(backend, "StreamChat", legacy));
	const retired: BidiService = async () => {
		throw retiredFailure(RETIRED.deprecated!);
	};
	for (const name of RETIRED_RPCS) {
		router.add("POST", `/${AiService.typeName}/${name}`, serverStream(backend, name, retired));
	}
}

/** How Cursor's own servers turn current clients away from these RPCs. */
const RETIRED: Record<string, { error: ErrorName; title: string; detail: string }> = {
	"update-required": {
		error: "ERROR_GPT_4_VISION_PREVIEW_RATE_LIMIT",
		title: "Update Required",
		detail: "Please update to the latest version of Cursor to continue.",
	},
	"unsupported-region": {
		error: "ERROR_UNSUPPORTED_REGION",
		title: "Model not available",
		detail: "This model provider does not serve your region.",
	},
	deprecated: {
		error: "ERROR_DEPRECATED",
		title: "Deprecated",
		detail: "Request type deprecated. Please upgrade to the latest version of Cursor.",
	},
};

function refuseIfRetired(backend: Backend): void {
	const state = backend.switches.get("chat-service");
	if (state === "unimplemented") throw new RpcFailure("unimplemented", "the chat service is not served here");
	const details = RETIRED[state];
	if (details) throw retiredFailure(details);
}

function retiredFailure(details: (typeof RETIRED)[string]): RpcFailure {
	return new RpcFailure("failed_precondition", "Error", { ...details, isRetryable: false });
}
