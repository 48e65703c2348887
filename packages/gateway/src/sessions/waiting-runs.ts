import type { ParkedRun } from "./parked-runs.ts";

/** A run that waits for results, for whoever looks. */
export interface WaitingRun {
	runId: string;
	caller: string;
	/** The name of its key, and what it calls itself. */
	key?: string;
	client?: string;
	conversation: string;
	model: string;
	/** The model that answers. */
	answered: string;
	/** The tools whose results it waits for. */
	tools: string[];
	waitedMs: number;
	/** When it began to wait, in milliseconds since 1970. */
	since: number;
}

/** `now`: a time of the clock; `time`: the same moment in milliseconds since 1970. */
export function waitingRun({ run, session, since }: ParkedRun, now: number, time: number): WaitingRun {
	return {
		...(session.origin?.key !== undefined && { key: session.origin.key }),
		...(session.origin?.client !== undefined && { client: session.origin.client }),
		runId: run.runId,
		caller: session.caller,
		conversation: session.conversationId,
		model: session.model,
		answered: run.answering.name,
		tools: run.toolUse?.pendingTools ?? [],
		waitedMs: now - since,
		since: Math.round(time - (now - since)),
	};
}
