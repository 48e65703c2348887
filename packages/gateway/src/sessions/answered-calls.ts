import type { Recording } from "./recording.ts";

interface Answered {
	at: number;
	/** Of the results by call id. */
	hashes: ReadonlyMap<string, string>;
	recording: Recording;
}

const KEPT_MS = 5 * 60_000;
const MOST_KEPT = 1_000;

/** Tool calls whose results were taken, so that a result counts once however often it is sent. */
export class AnsweredCalls {
	readonly #byCall = new Map<string, Answered>();

	add(caller: string, hashes: ReadonlyMap<string, string>, recording: Recording, now: number): void {
		const answered = { at: now, hashes, recording };
		for (const callId of hashes.keys()) this.#byCall.set(`${caller}\n${callId}`, answered);
		this.#forget(now);
	}

	/** What became of these results: unknown, the same ones before (with their response), or other ones. */
	compare(
		caller: string,
		hashes: ReadonlyMap<string, string>,
	): { kind: "new" } | { kind: "conflict" } | { kind: "same"; recording: Recording } {
		let found: Answered | undefined;
		for (const [callId, hash] of hashes) {
			const answered = this.#byCall.get(`${caller}\n${callId}`);
			if (!answered) continue;
			if (answered.hashes.get(callId) !== hash) return { kind: "conflict" };
			found = answered;
		}
		return found ? { kind: "same", recording: found.recording } : { kind: "new" };
	}

	#forget(now: number): void {
		for (const [callId, { at }] of this.#byCall) {
			if (this.#byCall.size <= MOST_KEPT && now - at < KEPT_MS) return;
			this.#byCall.delete(callId);
		}
	}
}
