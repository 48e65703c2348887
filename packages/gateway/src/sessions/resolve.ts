import { GatewayError } from "../turn/error.ts";
import type { ToolResultPart, TurnRequest } from "../turn/request.ts";
import type { AnsweredCalls, GivenResults } from "./answered-calls.ts";
import { frameHash, partsHash, resultHash, toolSetHash } from "./hashes.ts";
import type { ParkedRun, ParkedRuns } from "./parked-runs.ts";
import type { Recording } from "./recording.ts";
import { resultsWithUserText, trailingOf } from "./trailing.ts";

/** The first rung of the ladder: does this request bring what a run waits for? */
export type ParkedResolution =
	| {
			kind: "resume";
			parked: ParkedRun;
			results: ToolResultPart[];
			given: GivenResults;
			ignored: number;
	  }
	/** The same results were taken before; their response is here. */
	| { kind: "replay"; recording: Recording }
	/** No run waits for this. Runs that would have, but do not fit the request any more, are to be given up. */
	| { kind: "none"; superseded: ParkedRun[] };

/**
 * Proved by the ids that were given out: the results answer all open calls of one run of the same caller, and the model
 * and the tools are those the run knows. Everything else is another conversation, or the same one changed.
 */
export function resolveParked(
	request: TurnRequest,
	caller: string,
	runs: ParkedRuns,
	answered: AnsweredCalls,
): ParkedResolution {
	const trailing = trailingOf(request.messages);
	if (trailing.results.length === 0) return { kind: "none", superseded: [] };
	const hashes = new Map(trailing.results.map((result) => [result.callId, resultHash(result)]));
	const given = { hashes, frame: frameHash(request), said: partsHash(trailing.userParts) };
	const before = answered.compare(caller, given);
	if (before.kind === "conflict") throw new GatewayError("conflict");
	if (before.kind === "same" && before.recording.usable) return { kind: "replay", recording: before.recording };
	const waiting = new Set(trailing.results.flatMap(({ callId }) => runs.find(caller, callId) ?? []));
	const [parked] = waiting;
	if (!parked || waiting.size > 1 || !fits(parked, request, hashes)) return { kind: "none", superseded: [...waiting] };
	const wanted = trailing.results.filter(({ callId }) => parked.calls.has(callId));
	const results = resultsWithUserText({ ...trailing, results: wanted });
	return { kind: "resume", parked, results, given, ignored: trailing.results.length - wanted.length };
}

function fits(parked: ParkedRun, request: TurnRequest, hashes: ReadonlyMap<string, string>): boolean {
	const allAnswered = [...parked.calls].every((callId) => hashes.has(callId));
	return allAnswered && parked.model === request.model && parked.tools === toolSetHash(request);
}
