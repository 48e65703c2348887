import type { WaitingRun } from "../../sessions/waiting-runs.ts";
import { maskSecrets } from "../../text/mask-secrets.ts";
import type { RunningTurn } from "../../turns/running-turn.ts";
import type { Lane } from "../contract.ts";

const LONGEST_NAME = 256;
/** Too short a time says nothing about the speed of a reply. */
const SHORTEST_MEASURE_MS = 500;

/** The id of a lane for a run that waits begins with this, and the id of the run follows. */
export const RUN_PREFIX = "run:";

/** A turn under way. What is optional here is not known in all of its states. */
export type LaneTurn = RunningTurn & {
	answered?: string;
	reason?: string;
	conversation?: string;
	retrying?: boolean;
	startedAt?: number;
	stateSince?: number;
};

export const waitingLaneId = (run: WaitingRun): string => `${RUN_PREFIX}${run.runId}`;

/** The lane of a turn under way. `known`: the same lane as it was last shown. */
export function turnLane(turn: LaneTurn, now: number, known: Lane | undefined): Lane {
	const state = turn.retrying ? "retrying" : turn.state;
	const { requestId, key, client, dialect, path, reason, conversation, answered, outputTokens } = turn;
	const speed = tokensPerSecond(turn);
	return {
		id: requestId,
		...(key !== undefined && { key }),
		...(client !== undefined && { client }),
		dialect,
		model: shownName(turn.model),
		...(answered !== undefined && { answered: shownName(answered) }),
		...(path !== undefined && { path }),
		...(reason !== undefined && { reason }),
		...(conversation !== undefined && { conversation }),
		state,
		stateSince: known?.state === state ? known.stateSince : (turn.stateSince ?? now),
		startedAt: known?.startedAt ?? turn.startedAt ?? now - Math.round(turn.ageMs),
		outputTokens,
		...(speed !== undefined && { tokensPerSecond: speed }),
	};
}

/** The lane of a run that waits for the results of tools. */
export function waitingLane(run: WaitingRun, now: number, known: Lane | undefined): Lane {
	const since = known?.stateSince ?? now - Math.round(run.waitedMs);
	const { key, client, conversation, answered } = run;
	return {
		id: waitingLaneId(run),
		...(key !== undefined && { key }),
		...(client !== undefined && { client }),
		model: shownName(run.model),
		answered: shownName(answered),
		conversation,
		state: "waiting",
		tools: run.tools.map(shownName),
		stateSince: since,
		startedAt: since,
		outputTokens: 0,
	};
}

/** Names come from clients, who may put anything there. */
const shownName = (name: string): string => maskSecrets(name.slice(0, LONGEST_NAME));

function tokensPerSecond({ outputTokens, speakingMs = 0 }: RunningTurn): number | undefined {
	if (speakingMs < SHORTEST_MEASURE_MS) return undefined;
	return Math.round((outputTokens * 10_000) / speakingMs) / 10;
}
