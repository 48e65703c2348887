import type { Sliced } from "../time/slices.ts";
import type { ToolResultPart, TurnRequest } from "../turn/request.ts";
import { resultsWithUserText, type Trailing, trailingOf } from "../turn/trailing.ts";
import type { AnsweredCalls, GivenResults } from "./answered-calls.ts";
import { frameHash, partsHash, resultHash, toolSetHash } from "./hashes.ts";
import type { ParkedRun, ParkedRuns } from "./parked-runs.ts";
import type { SharedReply } from "./shared-reply.ts";

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
	| { kind: "replay"; recording: SharedReply }
	/** No run waits for this. Runs that would have, but do not fit the request any more, are to be given up. */
	| { kind: "none"; superseded: ParkedRun[] };

/** What a request brings for a run that waits, with everything that has to be hashed for a decision. */
export interface BroughtResults {
	trailing: Trailing;
	given: GivenResults;
	tools: string;
}

/** Undefined: the request brings no results. The decision itself is made at once, so that no run is taken twice. */
export function* broughtResults(request: TurnRequest): Sliced<BroughtResults | undefined> {
	const trailing = trailingOf(request.messages);
	if (trailing.results.length === 0) return undefined;
	const hashes = new Map<string, string>();
	for (const result of trailing.results) hashes.set(result.callId, yield* resultHash(result));
	const frame = yield* frameHash(request);
	const said = yield* partsHash(trailing.userParts);
	return { trailing, given: { hashes, frame, said }, tools: yield* toolSetHash(request) };
}

/**
 * Proved by the ids that were given out: the results answer all open calls of one run of the same caller, and the model
 * and the tools are those the run knows. Everything else is another conversation, or the same one changed.
 */
export function resolveParked(
	request: TurnRequest,
	brought: BroughtResults | undefined,
	caller: string,
	runs: ParkedRuns,
	answered: AnsweredCalls,
): ParkedResolution {
	if (!brought) return { kind: "none", superseded: [] };
	const { trailing, given } = brought;
	const before = answered.compare(caller, given);
	// A history that was edited, or a tool that was run again: a conversation of its own, and the first one goes on.
	if (before.kind === "fork") return { kind: "none", superseded: [] };
	if (before.kind === "same" && before.recording.usable) return { kind: "replay", recording: before.recording };
	const waiting = new Set(trailing.results.flatMap(({ callId }) => runs.find(caller, callId) ?? []));
	const [parked] = waiting;
	if (!parked || waiting.size > 1 || !fits(parked, request, brought)) return { kind: "none", superseded: [...waiting] };
	const wanted = trailing.results.filter(({ callId }) => parked.calls.has(callId));
	const results = resultsWithUserText({ ...trailing, results: wanted });
	return { kind: "resume", parked, results, given, ignored: trailing.results.length - wanted.length };
}

function fits({ calls, session }: ParkedRun, request: TurnRequest, { given, tools }: BroughtResults): boolean {
	const allAnswered = [...calls].every((callId) => given.hashes.has(callId));
	return allAnswered && session.model === request.model && session.tools === tools;
}
