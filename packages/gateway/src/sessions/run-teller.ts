import type { Replayed, RunEnded, RunParked, RunRetried, RunUnparked } from "../observe/facts.ts";
import type { Clock } from "../time/clock.ts";
import type { GatewayError } from "../turn/error.ts";
import type { ErrorKind } from "../turn/error-kinds.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { RetryReason, RunEnd } from "../upstream/run/run-observer.ts";
import type { ParkedRun, WaitEnd } from "./parked-runs.ts";

export interface RunTellerOptions {
	tell(fact: RunParked | RunUnparked | RunRetried | RunEnded | Replayed): void;
	clock: Clock;
	/** Milliseconds since 1970. */
	now(): number;
}

/** A run that failed with one of these was cut; any other error is Cursor's answer. */
const CUT: readonly ErrorKind[] = ["upstream-reset", "upstream-stalled", "upstream-timeout", "upstream-unavailable"];

const ENDS: Readonly<Record<Exclude<RunEnd, "failed">, RunEnded["how"]>> = {
	ended: "turn_ended",
	cancelled: "cancelled",
	lost: "cut",
};

const NO_CALLS: RunEnded["refusedCalls"] = { client: 0, builtin: 0 };

/** Makes facts of what happens to runs. */
export class RunTeller {
	readonly #options: RunTellerOptions;

	constructor(options: RunTellerOptions) {
		this.#options = options;
	}

	parked({ run, session }: ParkedRun): void {
		const { tell, now } = this.#options;
		const { caller, conversationId: conversation, model } = session;
		const tools = run.toolUse?.pendingTools ?? [];
		tell({ type: "run-parked", at: now(), runId: run.runId, conversation, caller, model, tools });
	}

	unparked({ run, calls, builtInCalls, since }: ParkedRun, how: WaitEnd): void {
		const { tell, now, clock } = this.#options;
		tell({
			type: "run-unparked",
			at: now(),
			runId: run.runId,
			how: how === "stopped" || how === "limited" || how === "taken" ? "gone" : how,
			waitedMs: Math.round(clock.now() - since),
			calls: calls.size,
			builtInCalls,
		});
	}

	retried({ runId }: CursorRun, reason: RetryReason): void {
		const { tell, now } = this.#options;
		tell({ type: "run-retried", at: now(), runId, reason });
	}

	ended({ runId, protocol, isHttp2, toolUse }: CursorRun, end: RunEnd, error: GatewayError | undefined): void {
		const { tell, now } = this.#options;
		const how = end === "failed" ? (error && CUT.includes(error.kind) ? "cut" : "refused") : ENDS[end];
		const refusedCalls = { ...(toolUse?.refused ?? NO_CALLS) };
		tell({ type: "run-ended", at: now(), runId, protocol, channel: isHttp2 ? "h2" : "h1", how, refusedCalls });
	}

	replayed(how: Replayed["how"]): void {
		const { tell, now } = this.#options;
		tell({ type: "replayed", at: now(), how });
	}
}
