import type { ObserveTurn } from "../../run/observe.ts";
import { type EndCounts, runWork } from "./run-work.ts";

/** How a call was announced before it was asked for. */
interface Announced {
	first: "partial" | "started";
	hasPartial: boolean;
}

/** More than the number of calls that are ever announced and not yet asked for. */
const MOST_ANNOUNCED = 256;

/**
 * What the frames of a run show of the server, beside what they say. It sees no text, and of token counts only how many
 * came.
 */
export class FrameFacts {
	readonly #observe: ObserveTurn;
	#announced: Map<string, Announced> | undefined;
	#tokenFrames = 0;
	#tokenFramesBeforeCalls: number | undefined;
	#isListed = false;
	#isContextAsked = false;
	#isUnknownAsked = false;
	#hasAsked = false;
	#hasStepStarted = false;
	#isPendingTold = false;
	#usedTokens = 0;
	#ended: { counts: EndCounts; hasCheckpointBefore: boolean } | undefined;
	#hasCheckpointAfter = false;

	constructor(observe: ObserveTurn) {
		this.#observe = observe;
	}

	/** A count of tokens came. */
	tokens(): void {
		this.#tokenFrames += 1;
	}

	announced(callId: string, how: "partial" | "started"): void {
		this.#tokenFramesBeforeCalls ??= this.#tokenFrames;
		this.#announced ??= new Map();
		const known = this.#announced.get(callId);
		if (known) known.hasPartial ||= how === "partial";
		else if (this.#announced.size < MOST_ANNOUNCED) {
			this.#announced.set(callId, { first: how, hasPartial: how === "partial" });
		}
	}

	listed(): void {
		this.#isListed = true;
		this.#observe("tool-requests-listed", "sent");
	}

	/** A client's tool is asked for. */
	asked(callId: string): void {
		this.#hasAsked = true;
		const announced = this.#announced?.get(callId);
		this.#announced?.delete(callId);
		if (announced) this.#observe("tool-call-order", orderOf(announced));
		if (!this.#isListed) this.#observe("tool-requests-listed", "absent");
		this.#observe("pending-tool-calls", this.#isPendingTold ? "sent" : "absent");
		if (this.#tokenFrames > 0 && this.#tokenFramesBeforeCalls !== undefined) {
			const isTold = this.#tokenFrames > this.#tokenFramesBeforeCalls;
			this.#observe("usage", isTold ? "told" : "without-calls");
		}
	}

	contextAsked(): void {
		this.#isContextAsked = true;
		this.#observe("context-asked", "yes");
	}

	unknownAsked(): void {
		this.#isUnknownAsked = true;
	}

	stepStarted(): void {
		this.#hasStepStarted = true;
	}

	/** The server has put a summary in place of what was said before. */
	summarized(): void {
		this.#observe("long-conversation", "compacted");
	}

	checkpoint(usedTokens: number, pendingCalls: number): void {
		this.#isPendingTold ||= pendingCalls > 0;
		this.#usedTokens = Math.max(this.#usedTokens, usedTokens);
		if (this.#ended) this.#hasCheckpointAfter = true;
	}

	turnEnded(counts: EndCounts, hasCheckpointBefore: boolean): void {
		this.#ended = { counts, hasCheckpointBefore };
	}

	/** The stream is over, in order. */
	over(): void {
		if (!this.#ended) return;
		const { counts, hasCheckpointBefore } = this.#ended;
		if (!this.#isContextAsked) this.#observe("context-asked", "no");
		if (this.#isUnknownAsked) this.#observe("unknown-query-answer", "any");
		this.#observe("step-updates", this.#hasStepStarted ? "both" : "completed");
		const checkpoints = lastCheckpoint(hasCheckpointBefore, this.#hasCheckpointAfter);
		if (checkpoints) this.#observe("last-checkpoint", checkpoints);
		if (this.#tokenFrames === 0 && this.#usedTokens === 0) {
			this.#observe("usage", runWork(counts, true, "included") ? "at-end" : "silent");
		}
		const cache = this.#hasAsked ? undefined : cacheTokens(counts, this.#usedTokens);
		if (cache) this.#observe("cache-tokens", cache);
	}

	/** The stream failed. */
	broke(): void {
		if (this.#isUnknownAsked) this.#observe("unknown-query-answer", "strict");
	}
}

function orderOf({ first, hasPartial }: Announced): string {
	if (first === "partial") return "partial-first";
	return hasPartial ? "started-first" : "started-only";
}

function lastCheckpoint(before: boolean, after: boolean): string | undefined {
	if (before) return after ? "both" : "before-turn-ended";
	return after ? "after-turn-ended" : undefined;
}

/** The window tells which: it holds the prompt and the answer, and what was read from a cache is in the prompt. */
function cacheTokens(counts: EndCounts, usedTokens: number): string | undefined {
	const cache = counts.cacheReadTokens + counts.cacheWriteTokens;
	if (cache === 0) return undefined;
	const input = counts.inputTokens;
	if (cache > input) return "added";
	if (usedTokens === 0) return undefined;
	const prompt = usedTokens - counts.outputTokens;
	return Math.abs(input + cache - prompt) < Math.abs(input - prompt) ? "added" : "included";
}
