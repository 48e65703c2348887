import { randomUUID } from "node:crypto";
import { toJson } from "@bufbuild/protobuf";
import { StreamUnifiedChatRequestSchema } from "@cursorwire/protocol/aiserver";
import { refuseEmptyPool } from "../accounts/refuse-empty-pool.ts";
import type { Backend } from "../backend.ts";
import { rethrowUnlessGone } from "../bidi/client-gone.ts";
import { runBrain } from "../brains/run-brain.ts";
import type { Exchange } from "../http/exchange.ts";
import { RpcFailure } from "../rpc/failure.ts";
import { promptTokens } from "../token-usage/prompt-tokens.ts";
import { buildUnifiedTurn } from "./build-unified-turn.ts";
import { modelNamed } from "./model-named.ts";
import { UnifiedLink, type UnifiedTransport } from "./unified-link.ts";
import { UnifiedPlayer } from "./unified-player.ts";
import { unifiedPrompt } from "./unified-prompt.ts";
import { refuseSloppyRequest } from "./unified-strict.ts";

/** One run of the unified protocol, on any of its RPCs: docs/older-protocols.md, How a request travels. */
export async function unifiedRun(transport: UnifiedTransport, backend: Backend, exchange: Exchange): Promise<void> {
	const link = new UnifiedLink(transport, backend);
	try {
		const request = await link.request();
		if (!request) throw new RpcFailure("invalid_argument", "the first message must be a stream_unified_chat_request");
		backend.log.addBody(exchange, toJson(StreamUnifiedChatRequestSchema, request));
		backend.stats.runs.started += 1;
		if (request.isResume) backend.stats.runs.resumed += 1;
		if (backend.strict) refuseSloppyRequest(request, transport.headers);
		const account = backend.directory.byAccessToken(transport.headers.authorization);
		const model = modelNamed(request.modelDetails?.modelName ?? "", backend);
		refuseEmptyPool(backend, account, model);
		const turn = buildUnifiedTurn(request, transport);
		const bill = backend.bills.open("unified", promptTokens(turn));
		const player = new UnifiedPlayer(link, backend, turn.tools, bill);
		link.start();
		link.say({ serverBubbleId: randomUUID(), usageUuid: randomUUID() });
		const rpc = exchange.path.slice(exchange.path.lastIndexOf("/") + 1);
		const play = backend.promptLog.watch(unifiedPrompt(request, turn, rpc), (action) => player.play(action));
		await runBrain(backend.brain, turn, play);
		await link.unknownCallsAnswered();
		const used = bill.contextTokens;
		if (backend.switches.get("usage") !== "silent") {
			link.say({
				contextWindowStatus: {
					tokensUsed: used,
					tokenLimit: model.contextTokens,
					percentageRemaining: Math.max(0, Math.round(100 - (used / model.contextTokens) * 100)),
				},
			});
		}
		backend.directory.charge(account, model, used);
		backend.stats.runs.ended += 1;
		transport.end();
	} catch (error) {
		rethrowUnlessGone(error, transport.clientGone);
	}
}
