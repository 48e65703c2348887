import type { AgentRunRequest, ConversationAction, UserMessage } from "@cursorwire/protocol/agent";
import type { Account } from "../accounts/account.ts";
import { refuseEmptyPool } from "../accounts/refuse-empty-pool.ts";
import type { Backend } from "../backend.ts";
import type { BidiChannel } from "../bidi/channel.ts";
import type { Action } from "../brains/brain.ts";
import { runBrain } from "../brains/run-brain.ts";
import { type ErrorName, RpcFailure } from "../rpc/failure.ts";
import type { Bill } from "../usage/bill.ts";
import { promptTokens } from "../usage/prompt-tokens.ts";
import { advertisedTools, distinctTools } from "./advertised-tools.ts";
import { Blobs } from "./blobs.ts";
import { buildTurn, newestMessage, readRoots, type TurnParts } from "./build-turn.ts";
import { makeCheckpoint, unfinishedTurn } from "./checkpoint.ts";
import { chooseModel } from "./choose-model.ts";
import { ClientGone } from "./client-gone.ts";
import { AgentLink } from "./link.ts";
import { Dropped, Player } from "./player.ts";
import { promptFacts } from "./prompt-facts.ts";
import { requestContext, toolsSentTwice } from "./request-context.ts";
import { refuseMissingHeaders, refuseSloppyRequest } from "./strict.ts";
import { Transcript } from "./transcript.ts";

const LARGEST_USER_TEXT = 1 << 20;

/** One AgentService run, from the run request to the end of the stream. */
export async function agentRun(channel: BidiChannel, backend: Backend): Promise<void> {
	if (backend.switches.get("agent-service") === "unimplemented") {
		throw new RpcFailure("unimplemented", "agent.v1.AgentService is not served here");
	}
	if (backend.strict) refuseMissingHeaders(channel.exchange);
	const account = backend.directory.byAccessToken(channel.exchange.headers.authorization);
	const link = new AgentLink(channel, backend, (message) => backend.log.addMessage(channel.exchange, message));
	const heartbeat = setInterval(() => link.update({ case: "heartbeat", value: {} }), backend.heartbeatMs);
	try {
		await runTurn(link, backend, account);
	} catch (error) {
		if (!(error instanceof ClientGone) && !(error instanceof Dropped) && !channel.clientGone.aborted) throw error;
	} finally {
		clearInterval(heartbeat);
	}
}

async function runTurn(link: AgentLink, backend: Backend, account: Account): Promise<void> {
	const request = await link.runRequest();
	backend.stats.runs.started += 1;
	const action = checkRequest(request, link, backend, account);
	const model = chooseModel(request, backend);
	refuseEmptyPool(backend, account, model.model);
	link.update({ case: "heartbeat", value: {} });

	const blobs = new Blobs(link, backend, request.preFetchedBlobs);
	const userMessage = userMessageOf(action);
	const resumed = userMessage === undefined;
	if (resumed) backend.stats.runs.resumed += 1;
	const roots = await readRoots(request, blobs);
	const newest = await newestMessage(userMessage, blobs);
	const unfinished = resumed ? await unfinishedTurn(request.conversationState!, blobs) : undefined;
	const context = await requestContext(link, backend, action);
	if (toolsSentTwice(request, context) && backend.switches.get("tools-twice") === "stall") await link.gone();
	const parts: TurnParts = { request, link, blobs, backend, model, roots, userMessage, context };
	const turn = buildTurn(parts, newest);

	const transcript = new Transcript();
	if (newest) transcript.user(newest);
	const bill = backend.bills.open("agent", promptTokens(turn));
	const told = backend.switches.get("usage");
	const tellsWindow = told === "told" || told === "without-calls";
	let player: Player;
	const checkpoint = async () => {
		const state = await makeCheckpoint(
			{
				before: request.conversationState!,
				roots,
				unfinished,
				userMessage,
				transcript,
				requestId: link.channel.requestId,
				usedTokens: player.usage.usedTokens ?? (tellsWindow ? bill.contextTokens : 0),
				maxTokens: player.usage.maxTokens ?? model.model.contextTokens,
				emptyOldUsers: backend.switches.get("checkpoint-users") === "placeholder",
			},
			blobs,
		);
		link.send({ case: "conversationCheckpointUpdate", value: state });
	};
	player = new Player({
		link,
		backend,
		bill,
		transcript,
		tools: distinctTools(advertisedTools(request, context, backend.switches)),
		openaiCallIds: model.model.vendor === "openai",
		checkpoint,
	});

	const play = backend.eye.see(promptFacts(parts, turn), async (action: Action) => {
		const outcome = await player.play(action);
		if (link.channel.clientGone.aborted) throw new ClientGone();
		return outcome;
	});
	if (!model.saysNothing) await runBrain(backend.brain, turn, play, cancelAction(link, backend));
	player.finish();
	await link.unknownRequestsAnswered();
	await endTurn(link, backend, checkpoint, () => turnEnded(player, told === "silent" ? undefined : bill));
	backend.directory.charge(account, model.model, bill.contextTokens);
	backend.stats.runs.ended += 1;
	link.channel.end();
}

/** Resolves when the client asks to cancel the turn, which the stream survives. */
function cancelAction(link: AgentLink, backend: Backend): Promise<void> {
	return new Promise((resolve) => {
		link.onAction = ({ action }) => {
			if (action.case !== "cancelAction") return;
			const { requestId, rpc } = link.channel;
			backend.stats.runs.cancelled.push({ at: backend.now(), requestId, rpc });
			resolve();
		};
	});
}

async function endTurn(
	link: AgentLink,
	backend: Backend,
	checkpoint: () => Promise<void>,
	ended: () => Parameters<AgentLink["update"]>[0],
): Promise<void> {
	const when = backend.switches.get("last-checkpoint");
	if (when !== "after-turn-ended") await checkpoint();
	link.update(ended());
	if (when !== "before-turn-ended") await checkpoint();
}

function turnEnded({ usage }: Player, bill: Bill | undefined): Parameters<AgentLink["update"]>[0] {
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

/** The requests that every server refuses, whatever the model. Returns the action to perform. */
function checkRequest(
	request: AgentRunRequest,
	link: AgentLink,
	backend: Backend,
	account: Account,
): ConversationAction {
	if (!request.conversationState) throw new RpcFailure("invalid_argument", "conversation_state is required");
	if (!request.action) throw new RpcFailure("invalid_argument", "action is required");
	if (backend.strict) refuseSloppyRequest(request, link.channel.exchange);
	if (request.excludeWorkspaceContext && backend.switches.get("exclude-workspace-context") === "refused") {
		throw new RpcFailure("invalid_argument", "exclude_workspace_context is not available for this account");
	}
	if (request.customSystemPrompt && !account.customSystemPrompt) {
		throw new RpcFailure("invalid_argument", "custom_system_prompt is not available for this account");
	}
	if (account.blocked) {
		throw new RpcFailure("permission_denied", "Error", {
			error: account.blocked as ErrorName,
			title: "Account blocked",
			detail: "This account may not use the service.",
			isRetryable: false,
		});
	}
	const text = userMessageOf(request.action)?.text ?? "";
	if (text.length > LARGEST_USER_TEXT) throw new RpcFailure("invalid_argument", "the user message is too long");
	return request.action;
}

function userMessageOf(action: ConversationAction): UserMessage | undefined {
	switch (action.action.case) {
		case "userMessageAction":
		case "startPlanAction":
			return action.action.value.userMessage;
		default:
			return undefined;
	}
}
