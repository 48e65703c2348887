import type { TurnEnded } from "../observe/facts.ts";
import type { StartedTurn } from "../sessions/started-turn.ts";
import { addPartTokens } from "../tokens/prompt-length.ts";
import type { OpenTurn } from "./open-turn.ts";
import type { TurnEnd } from "./turn-outcome.ts";
import { warningsOf } from "./turn-warnings.ts";

const CLIENT_LEFT = 499;
/** Of a model, as a client may call it. */
export const LONGEST_NAME = 256;

/** Everything that is known of a turn at its end. */
export function turnEnded(turn: OpenTurn, { error, cancelled }: TurnEnd, at: number): TurnEnded {
	const { call, asker, origin, watch } = turn;
	const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = watch.usage;
	// With all fields from the beginning: an object that grows field by field takes several times as much memory.
	const fact: TurnEnded = {
		type: "turn-ended",
		at,
		requestId: origin.requestId,
		client: origin.client,
		key: origin.key,
		traceparent: origin.traceparent,
		caller: asker.caller,
		dialect: call.dialect,
		model: call.turn.model.slice(0, LONGEST_NAME),
		answered: undefined,
		pool: undefined,
		path: "none",
		reason: undefined,
		conversation: undefined,
		runId: undefined,
		inputTokens,
		outputTokens,
		cachedTokens: cachedInputTokens,
		reasoningTokens,
		status: error?.status ?? (cancelled ? CLIENT_LEFT : 200),
		errorKind: error?.kind ?? (cancelled ? "cancelled" : undefined),
		nextStep: error?.nextStep,
		tools: watch.tools,
		webSearches: watch.searches > 0 ? watch.searches : undefined,
		warnings: warningsOf(call, turn.started),
		systemTokens: undefined,
		toolTokens: undefined,
		historyTokens: undefined,
		resultTokens: undefined,
		messageTokens: undefined,
		imageTokens: undefined,
		latencyMs: 0,
		sentMs: undefined,
		firstTokenMs: undefined,
		firstThinkingMs: undefined,
		firstTextMs: undefined,
		firstCallMs: undefined,
		waitedMs: undefined,
		sendUs: undefined,
		firstChunkUs: undefined,
		admitUs: undefined,
		decodeUs: undefined,
		gatewayUs: undefined,
	};
	if (turn.started) addRoute(fact, turn, turn.started);
	addTimes(fact, turn);
	if (inputTokens > 0) addPartTokens(fact, turn.prompt.lengths, turn.prompt.request, inputTokens);
	return fact;
}

function addRoute(fact: TurnEnded, { asker }: OpenTurn, started: StartedTurn): void {
	const { path, reason, session, run, model, waitedMs } = started;
	fact.path = path;
	fact.reason = reason;
	fact.conversation = session;
	fact.answered = model.name;
	if (waitedMs !== undefined) fact.waitedMs = Math.round(waitedMs);
	if (!run) return;
	fact.runId = run.runId;
	fact.pool = asker.account.facts.poolOf(run.model.id);
}

function addTimes(fact: TurnEnded, { watch, decodeMs, admitMs }: OpenTurn): void {
	watch.tell(fact);
	fact.admitUs = Math.round(admitMs * 1_000);
	fact.decodeUs = Math.round(decodeMs * 1_000);
	if (fact.sendUs === undefined || fact.firstChunkUs === undefined) return;
	fact.gatewayUs = fact.admitUs + fact.decodeUs + fact.sendUs + fact.firstChunkUs;
}
