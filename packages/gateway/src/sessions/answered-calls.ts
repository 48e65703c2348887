import type { SharedReply } from "./shared-reply.ts";

/** What a request brought for the calls of a run. */
export interface GivenResults {
	/** Of the results by call id. */
	hashes: ReadonlyMap<string, string>;
	/** Of the model, the tools and the system prompt: with others it is another conversation. */
	frame: string;
	/** Of what the user said with them: with other words it is another request. */
	said: string;
}

interface Answered extends GivenResults {
	at: number;
	recording: SharedReply;
}

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;
const MOST_CHARACTERS = 64 << 20;

/** Tool calls whose results were taken, so that a result counts once however often it is sent. */
export class AnsweredCalls {
	readonly #byCall = new Map<string, Answered>();

	add(caller: string, given: GivenResults, recording: SharedReply, now: number): void {
		const answered = { ...given, at: now, recording };
		for (const callId of given.hashes.keys()) this.#byCall.set(`${caller}\n${callId}`, answered);
		this.#forget(now);
	}

	/**
	 * What became of these results: unknown, the same ones before (with their response), or other ones, which makes the
	 * conversation fork. A response that failed or was given up does not count: the turn is told anew, with whatever the
	 * results are now. Nor does what another agent asked about the same history.
	 */
	compare(
		caller: string,
		{ hashes, frame, said }: GivenResults,
	): { kind: "new" } | { kind: "fork" } | { kind: "same"; recording: SharedReply } {
		let found: Answered | undefined;
		for (const [callId, hash] of hashes) {
			const answered = this.#byCall.get(`${caller}\n${callId}`);
			if (!answered?.recording.stands || answered.frame !== frame) continue;
			if (answered.hashes.get(callId) !== hash) return { kind: "fork" };
			found = answered;
		}
		return found?.said === said ? { kind: "same", recording: found.recording } : { kind: "new" };
	}

	#forget(now: number): void {
		let characters = 0;
		for (const answered of this.#byCall.values()) characters += shareOf(answered);
		for (const [callId, answered] of this.#byCall) {
			const isRecent = now - answered.at < KEPT_MS;
			if (isRecent && this.#byCall.size <= MOST_KEPT && characters <= MOST_CHARACTERS) return;
			this.#byCall.delete(callId);
			characters -= shareOf(answered);
		}
	}
}

/** Calls that were answered together have one recording. */
function shareOf({ recording, hashes }: Answered): number {
	return recording.size / hashes.size;
}
