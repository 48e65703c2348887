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
	/** How many of its calls are kept. */
	kept: number;
	/** The characters that each of them stands for: calls whose results came together share one reply. */
	share: number;
}

export const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;
const MOST_CHARACTERS = 64 << 20;

/** Calls whose results were taken already, so that a result counts once no matter how often it is sent. */
export class AnsweredCalls {
	readonly #byCall = new Map<string, Answered>();
	/** Those whose replies are not over. Only their sizes still change. */
	readonly #growing = new Set<Answered>();
	#characters = 0;

	add(caller: string, { hashes, frame, said }: GivenResults, reply: SharedReply, now: number): void {
		const answered = { hashes, frame, said, at: now, reply, kept: hashes.size, share: 0 };
		for (const callId of hashes.keys()) {
			const key = `${caller}\n${callId}`;
			this.#drop(key);
			this.#byCall.set(key, answered);
		}
		this.#growing.add(answered);
		this.#measure();
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

	#measure(): void {
		for (const answered of this.#growing) {
			const { reply, hashes, kept, share } = answered;
			answered.share = reply.size / hashes.size;
			this.#characters += (answered.share - share) * kept;
			if (reply.isOver) this.#growing.delete(answered);
		}
	}

	#forget(now: number): void {
		for (const [key, { at }] of this.#byCall) {
			const isRecent = now - at < KEPT_MS;
			if (isRecent && this.#byCall.size <= MOST_KEPT && this.#characters <= MOST_CHARACTERS) return;
			this.#drop(key);
		}
	}

	#drop(key: string): void {
		const answered = this.#byCall.get(key);
		if (!answered) return;
		this.#byCall.delete(key);
		this.#characters -= answered.share;
		if (--answered.kept === 0) this.#growing.delete(answered);
	}
}
