import type { ConversationAction } from "@cursorwire/protocol/agent";
import { ClientGone } from "../../bidi/client-gone.ts";
import type { Action, Message, Turn } from "../../brains/brain.ts";
import { runBrain } from "../../brains/run-brain.ts";
import type { Bill } from "../../token-usage/bill.ts";
import { contextUsage } from "../../token-usage/context-usage.ts";
import { promptTokens } from "../../token-usage/prompt-tokens.ts";
import { Player } from "../playing/player.ts";
import { Transcript } from "../playing/transcript.ts";
import { advertisedTools, distinctTools } from "../request/advertised-tools.ts";
import { buildTurn, readPlan, readRoots, type TurnParts } from "../request/build-turn.ts";
import { fitsWindow, tooLong } from "../request/context-window.ts";
import { readOpening } from "../request/opening.ts";
import { promptFacts } from "../request/prompt-facts.ts";
import { requestContext, toolsSentTwice } from "../request/request-context.ts";
import type { PlayedTurn, Run } from "../run-parts.ts";
import { type CheckpointInput, makeCheckpoint, unfinishedTurn } from "../state/checkpoint.ts";
import { readPendingCalls, writePendingCalls } from "../state/pending-calls.ts";
import { summarise } from "../state/summarise.ts";
import { routedModel, tellRoutedModel } from "./routed-model.ts";

/** One turn in which the model replies to an action. */
export async function modelTurn(run: Run, action: ConversationAction, earlierBill?: Bill): Promise<PlayedTurn> {
	const { request, link, backend, model, blobs, live } = run;
	const { switches } = backend;
	const resumedFrom = run.state;
	const roots = await readRoots(resumedFrom, blobs);
	const opening = await readOpening(
		action,
		blobs,
		switches.get("conversation-history") === "read",
		await readPlan(resumedFrom, blobs),
	);
	const resumed = opening.newest === undefined;
	if (resumed) backend.stats.runs.resumed += 1;
	const unfinished = resumed ? await unfinishedTurn(resumedFrom, blobs) : undefined;
	run.context = await requestContext(link, backend, opening.context, run.context);
	if (toolsSentTwice(request, run.context) && switches.get("tools-twice") === "stall") await link.gone();
	const { parts, turn } = await fitIntoWindow(run, { roots, opening });
	const { state } = run;
	const routed = routedModel(run);
	tellRoutedModel(run, routed);
	const usage = contextUsage(turn);
	backend.contextUsages.keep(turn.conversationId, usage);

	const transcript = new Transcript();
	for (const message of opening.earlier) transcript.add(message);
	if (opening.newest) transcript.add(opening.newest);
	const bill = earlierBill ?? backend.bills.open("agent", usage.tokens);
	if (earlierBill) bill.read(promptTokens({ system: [], rules: [], tools: [], messages: transcript.messages }));
	const told = switches.get("usage");
	const tellsWindow = told === "told" || told === "without-calls";
	let player: Player;
	const checkpoint = async (more: Partial<CheckpointInput> = {}) => {
		const after = await makeCheckpoint(
			{
				before: state,
				roots: parts.roots,
				unfinished,
				userMessage: opening.userMessage,
				transcript,
				requestId: link.channel.requestId,
				usedTokens: player.usage.usedTokens ?? (tellsWindow ? bill.contextTokens : 0),
				maxTokens: player.usage.maxTokens ?? model.model.contextTokens,
				emptyOldUsers: switches.get("checkpoint-users") === "placeholder",
				pendingToolCalls: [],
				routedModel: routed,
				...more,
			},
			blobs,
		);
		link.send({ case: "conversationCheckpointUpdate", value: after });
		return after;
	};
	const arrived: Message[] = [];
	const deliver = async (step: number) => {
		const messages: Message[] = await live.deliver(step, blobs);
		for (const message of messages) transcript.add(message);
		turn.messages.push(...messages);
		arrived.push(...messages);
		return messages;
	};
	player = new Player({
		link,
		backend,
		bill,
		transcript,
		tools: distinctTools(advertisedTools(request, run.context, switches)),
		openaiCallIds: model.model.vendor === "openai",
		checkpoint,
		pendingCheckpoint: (calls) => checkpoint({ pendingToolCalls: writePendingCalls(calls, routed) }),
		deliver,
	});

	const playStep = async (step: Action) => {
		const outcome = await player.play(step);
		if (link.channel.clientGone.aborted) throw new ClientGone();
		return outcome;
	};
	const play = backend.promptLog.watch(promptFacts(parts, turn), playStep, () => arrived.splice(0));
	const speaks = opening.asksModel && !model.saysNothing;
	const pending = resumed ? readPendingCalls(resumedFrom.pendingToolCalls) : [];
	if (pending.length > 0) {
		await Promise.race([play({ calls: pending }), live.cancelled]);
		turn.messages.push(...transcript.messages);
	}
	if (speaks && !live.isCancelled) await runBrain(backend.brain, turn, play, live.cancelled);
	player.finish();
	if (live.isCancelled) transcript.closeOpenCalls("The user cancelled this call.");
	return { checkpoint: () => checkpoint(), usage: player.usage, bill };
}

/** Builds the turn. The switch decides what happens if it is too large: it is kept, compacted or refused. */
async function fitIntoWindow(
	run: Run,
	{ roots, opening }: Pick<TurnParts, "roots" | "opening">,
): Promise<{ parts: TurnParts; turn: Turn }> {
	const { request, link, blobs, backend, model, context } = run;
	const parts: TurnParts = { request, link, blobs, backend, model, roots, opening, context };
	const turn = buildTurn(parts);
	const answer = backend.switches.get("long-conversation");
	if (answer === "kept" || fitsWindow(turn, model)) return { parts, turn };
	if (answer === "refused") throw tooLong(model);
	run.state = await summarise(run.state, roots, link, blobs);
	const shorter = { ...parts, roots: await readRoots(run.state, blobs) };
	const compacted = buildTurn(shorter);
	if (!fitsWindow(compacted, model)) throw tooLong(model);
	return { parts: shorter, turn: compacted };
}
