import type { RequestOrigin } from "../observe/facts.ts";
import type { OpenTurn } from "./open-turn.ts";
import { LONGEST_NAME } from "./turn-ended.ts";
import type { TurnProgress, TurnState } from "./turn-outcome.ts";

/** A turn under way, for whoever looks. */
export interface RunningTurn extends RequestOrigin, Omit<TurnProgress, "state" | "stateMs"> {
	dialect: string;
	model: string;
	/** `retrying`: its stream failed, and another one is tried. */
	state: TurnState | "retrying";
	/** When the turn began and when it came into its state, in milliseconds since 1970. */
	startedAt: number;
	stateSince: number;
	/** The rung, once it is chosen, and why it is no higher one. */
	path?: string;
	reason?: string;
	conversation?: string;
	runId?: string;
	/** The model that answers. */
	answered?: string;
	/** The names of the tools that it has called, separated by commas. */
	tools?: string;
	/** An estimate. */
	outputTokens: number;
}

/** A rough figure is enough while a reply is under way; the exact one is in the ledger. */
const CHARACTERS_PER_TOKEN = 4;

/** `now`: milliseconds since 1970; `time`: the same moment on the clock. */
export function runningTurn(turn: OpenTurn, now: number, time: number): RunningTurn {
	const { call, origin, started, watch, reply } = turn;
	const { state, stateMs, ...progress } = watch.progress();
	const retryingSince = started?.run?.retryingSince;
	return {
		...origin,
		dialect: call.dialect,
		model: call.turn.model.slice(0, LONGEST_NAME),
		...(started && { path: started.path, reason: started.reason, conversation: started.session }),
		...(started && { answered: started.model.name }),
		...(started?.run && { runId: started.run.runId }),
		...(watch.tools !== undefined && { tools: watch.tools }),
		...progress,
		state: retryingSince === undefined ? state : "retrying",
		startedAt: Math.round(now - progress.ageMs),
		stateSince: Math.round(now - (retryingSince === undefined ? stateMs : time - retryingSince)),
		outputTokens: Math.round((reply?.length ?? 0) / CHARACTERS_PER_TOKEN),
	};
}
