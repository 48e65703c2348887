import type { Sliced } from "../time/slices.ts";
import type { ToolResultPart, TurnRequest } from "../turn/request.ts";
import { resultsWithUserText, type Trailing, trailingOf } from "../turn/trailing.ts";
import type { SharedReply } from "../upstream/run/shared-reply.ts";
import type { AnsweredCalls, GivenResults } from "./answered-calls.ts";
import { frameHash, partsHash, resultHash, toolSetHash } from "./hashes.ts";
import type { ParkedRun, ParkedRuns } from "./parked-runs.ts";
import { type LostRun, NOBODY_WAITS } from "./rung-reason.ts";

/** The first rung of the ladder: whether this request brings the results that a run is waiting for. */
export type ParkedResolution =
	| {
			kind: "resume";
			parked: ParkedRun;
			results: ToolResultPart[];
			given: GivenResults;
			ignored: number;
	  }
	/** The same results were taken before, and led to this reply. */
	| { kind: "replay"; reply: SharedReply }
	/** No run can take the results. Runs that wait for these calls but no longer fit the request should be ended. */
	| { kind: "none"; superseded: ParkedRun[]; reason?: LostRun };

/** The results of a request and the hashes that the decision needs. */
export interface BroughtResults {
	trailing: Trailing;
	given: GivenResults;
	tools: string;
}

/**
 * Undefined when the request brings no results. Hashing may take several turns of the event loop; the decision itself
 * does not, so that no run is taken twice.
 */
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
 * A run takes the results only when they are for all of its open calls, come from the same caller, and name the model
 * and the tools that the run knows. The ids of the calls are the proof: the gateway made them and nobody can guess them.
 * Everything else is another conversation, or the same one with a changed history.
 */
export function resolveParked(
	request: Pick<TurnRequest, "model">,
	brought: BroughtResults | undefined,
	caller: string,
	runs: ParkedRuns,
	answered: AnsweredCalls,
): ParkedResolution {
	if (!brought) return { kind: "none", superseded: [] };
	const { trailing, given } = brought;
	const before = answered.compare(caller, given);
	// The history was edited, or a tool ran again: this becomes a conversation of its own, and the first continues.
	if (before.kind === "fork") return { kind: "none", superseded: [], reason: "the results differ from earlier ones" };
	if (before.kind === "same" && before.reply.usable) return { kind: "replay", reply: before.reply };
	const waiting = new Set(trailing.results.flatMap(({ callId }) => runs.find(caller, callId) ?? []));
	const [parked] = waiting;
	if (!parked) return { kind: "none", superseded: [], reason: lostRunOf(trailing.results, caller, runs) };
	const reason = waiting.size > 1 ? "several runs wait for these results" : misfitOf(parked, request, brought);
	if (reason) return { kind: "none", superseded: [...waiting], reason };
	const wanted = trailing.results.filter(({ callId }) => parked.calls.has(callId));
	const results = resultsWithUserText({ ...trailing, results: wanted });
	return { kind: "resume", parked, results, given, ignored: trailing.results.length - wanted.length };
}

/** Undefined if the run can take the results. */
function misfitOf(
	{ calls, session }: ParkedRun,
	request: Pick<TurnRequest, "model">,
	{ given, tools }: BroughtResults,
): LostRun | undefined {
	for (const callId of calls) if (!given.hashes.has(callId)) return "some calls have no result";
	if (session.model !== request.model) return "the model changed";
	return session.tools === tools ? undefined : "the tools changed";
}

/** What became of the run that waited for one of these results. */
function lostRunOf(results: readonly ToolResultPart[], caller: string, runs: ParkedRuns): LostRun {
	for (const { callId } of results) {
		const lost = runs.lost(caller, callId);
		if (lost) return lost;
	}
	return NOBODY_WAITS;
}
