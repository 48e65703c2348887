import type { ConversationAction } from "@cursorwire/protocol/agent";
import type { Account } from "../accounts/account.ts";
import { refuseEmptyPool } from "../accounts/refuse-empty-pool.ts";
import type { Backend } from "../backend.ts";
import type { BidiChannel } from "../bidi/channel.ts";
import { rethrowUnlessGone } from "../bidi/client-gone.ts";
import { RpcFailure } from "../rpc/failure.ts";
import type { Bill } from "../token-usage/bill.ts";
import { checkRequest } from "./request/check-request.ts";
import { chooseModel } from "./request/choose-model.ts";
import { userMessageOf } from "./request/opening.ts";
import { refuseMissingHeaders } from "./request/strict.ts";
import type { PlayedTurn, Run } from "./run-parts.ts";
import { Blobs } from "./stream/blobs.ts";
import { AgentLink } from "./stream/link.ts";
import { LiveActions } from "./turns/live-actions.ts";
import { modelTurn } from "./turns/model-turn.ts";
import { turnWithoutModel } from "./turns/turn-without-model.ts";

/** One run of agent.v1.AgentService, from the run request to the end of the stream (docs/protocol.md). */
export async function agentRun(channel: BidiChannel, backend: Backend): Promise<void> {
	if (backend.switches.get("agent-service") === "unimplemented") {
		throw new RpcFailure("unimplemented", "agent.v1.AgentService is not served here");
	}
	if (backend.strict) refuseMissingHeaders(channel.exchange);
	const account = backend.directory.byAccessToken(channel.exchange.headers.authorization);
	const link = new AgentLink(channel, backend, (message) => backend.log.addMessage(channel.exchange, message));
	const heartbeat = setInterval(() => link.update({ case: "heartbeat", value: {} }), backend.heartbeatMs);
	try {
		await runTurns(link, backend, account);
	} catch (error) {
		rethrowUnlessGone(error, channel.clientGone);
	} finally {
		clearInterval(heartbeat);
	}
}

async function runTurns(link: AgentLink, backend: Backend, account: Account): Promise<void> {
	const request = await link.runRequest();
	backend.stats.runs.started += 1;
	const action = checkRequest(request, link, backend, account);
	const model = chooseModel(request, backend);
	refuseEmptyPool(backend, account, model.model);
	const live = new LiveActions(link, backend, request.runId ?? "");
	link.update({ case: "heartbeat", value: {} });

	const blobs = new Blobs(link, backend, request.preFetchedBlobs);
	const state = request.conversationState!;
	const run: Run = { request, link, backend, model, blobs, live, state, context: undefined };
	const { checkpoint, usage, bill } = (await turnWithoutModel(run, action)) ?? (await modelTurns(run, action));
	await link.unknownRequestsAnswered();
	const told = backend.switches.get("usage") === "silent" ? undefined : bill;
	await endTurn(link, backend, checkpoint, () => turnEnded(usage, told));
	backend.directory.charge(account, model.model, bill?.contextTokens ?? 0);
	backend.stats.runs.ended += 1;
	link.channel.end();
}

/** The first turn, and one more for each message that the client has queued in the meantime. */
async function modelTurns(run: Run, action: ConversationAction): Promise<PlayedTurn> {
	showMessage(run, action, action.action.case === "userMessageAction" && action.action.value.sendToInteractionListener);
	let turn = await modelTurn(run, action);
	for (let next = run.live.nextTurn(); next; next = run.live.nextTurn()) {
		run.state = await turn.checkpoint();
		showMessage(run, next, true);
		turn = await modelTurn(run, next, turn.bill);
	}
	return turn;
}

function showMessage({ link }: Run, { action }: ConversationAction, isWanted = false): void {
	const userMessage = userMessageOf(action);
	if (isWanted && userMessage) link.update({ case: "userMessageAppended", value: { userMessage } });
}

/** docs/protocol.md, The end of a run and Checkpoints. SDK 1.0.32 accepts a checkpoint before and after turn_ended. */
async function endTurn(
	link: AgentLink,
	backend: Backend,
	checkpoint: () => Promise<unknown>,
	ended: () => Parameters<AgentLink["update"]>[0],
): Promise<void> {
	const when = backend.switches.get("last-checkpoint");
	if (when !== "after-turn-ended") await checkpoint();
	link.update(ended());
	if (when !== "before-turn-ended") await checkpoint();
}

function turnEnded(usage: PlayedTurn["usage"], bill: Bill | undefined): Parameters<AgentLink["update"]>[0] {
	const total = bill?.total;
	const count = (value: number | undefined, fallback: number | undefined) => BigInt(value ?? fallback ?? 0);
	return {
		case: "turnEnded",
		value: {
			inputTokens: count(usage.inputTokens, total?.inputTokens),
			outputTokens: count(usage.outputTokens, total?.outputTokens),
			cacheReadTokens: count(usage.cacheReadTokens, 0),
			cacheWriteTokens: count(usage.cacheWriteTokens, 0),
			reasoningTokens: count(usage.reasoningTokens, total?.reasoningTokens),
		},
	};
}
