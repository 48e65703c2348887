import type { SharedReply } from "../upstream/run/shared-reply.ts";

/** The results that a request brought, as hashes that tell a retry from a changed request. */
export interface GivenResults {
	/** One hash per result, by call id. */
	hashes: ReadonlyMap<string, string>;
	/** Hash of the model, the tools and the system prompt. Another value means another conversation. */
	frame: string;
	/** Hash of what the user said next to the results. Another value means another request. */
	said: string;
}

interface Answered extends GivenResults {
	at: number;
	reply: SharedReply;
}

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;
const MOST_CHARACTERS = 64 << 20;

/** Calls whose results were taken already, so that a result counts once no matter how often it is sent. */
export class AnsweredCalls {
	readonly #byCall = new Map<string, Answered>();

	add(caller: string, given: GivenResults, reply: SharedReply, now: number): void {
		const answered = { ...given, at: now, reply };
		for (const callId of given.hashes.keys()) this.#byCall.set(`${caller}\n${callId}`, answered);
		this.#forget(now);
	}

	/**
	 * Compares results with those that were taken before for the same calls: `new` when there were none, `same` with the
	 * reply they led to, or `fork` when they differ. A reply that failed or was abandoned does not count, and the turn
	 * then runs again with the results as they are now. What another agent asked about the same history does not count
	 * either.
	 */
	compare(
		caller: string,
		{ hashes, frame, said }: GivenResults,
	): { kind: "new" } | { kind: "fork" } | { kind: "same"; reply: SharedReply } {
		let found: Answered | undefined;
		for (const [callId, hash] of hashes) {
			const answered = this.#byCall.get(`${caller}\n${callId}`);
			if (!answered?.reply.stands || answered.frame !== frame) continue;
			if (answered.hashes.get(callId) !== hash) return { kind: "fork" };
			found = answered;
		}
		return found?.said === said ? { kind: "same", reply: found.reply } : { kind: "new" };
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

/** Calls whose results came together share one reply. */
function shareOf({ reply, hashes }: Answered): number {
	return reply.size / hashes.size;
}
