import type { Clock } from "../time/clock.ts";
import { orElse, type Soon } from "../time/soon.ts";
import type { GatewayError } from "../turn/error.ts";
import type { AssistantMessage } from "../turn/request.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { RetryReason, RunEnd, RunObserver } from "../upstream/run/run-observer.ts";
import { DeadlineWatch } from "./deadline-watch.ts";
import type { GroupDesk } from "./group-desk.ts";
import type { OtherGateways } from "./other-gateways.ts";
import type { ParkedRuns, RunSession, WaitEnd } from "./parked-runs.ts";
import type { RunTeller } from "./run-teller.ts";
import type { StoredConversations } from "./stored-conversations.ts";

export interface RunSessionsParts {
	parked: ParkedRuns;
	/** How long a run may wait. */
	deadlineMs: number;
	stored: StoredConversations;
	teller: RunTeller;
	desk: GroupDesk;
	others: OtherGateways;
	clock: Clock;
	warn(what: string, error: unknown): void;
}

/** What is done for runs while they live: they are parked and taken up again, and what they leave is stored. */
export class RunSessions {
	readonly #parts: RunSessionsParts;
	readonly #deadlines: DeadlineWatch;

	constructor(parts: RunSessionsParts) {
		this.#parts = parts;
		this.#deadlines = new DeadlineWatch(parts.parked, parts.clock, parts.deadlineMs);
	}

	/** What follows a run through all of its turns. */
	watch(session: RunSession): RunObserver<CursorRun> {
		return new RunSessions.#SessionWatch(this, session);
	}

	/** The run waits no longer, if it did. */
	unpark(run: CursorRun, how: WaitEnd): void {
		const { parked } = this.#parts;
		parked.remove(run, how);
		if (parked.size === 0) this.#deadlines.stop();
	}

	static readonly #SessionWatch = class implements RunObserver<CursorRun> {
		readonly #sessions: RunSessions;
		readonly #session: RunSession;

		constructor(sessions: RunSessions, session: RunSession) {
			this.#sessions = sessions;
			this.#session = session;
		}

		parked(run: CursorRun): void {
			this.#sessions.#park(run, this.#session);
		}

		replied(run: CursorRun, message: AssistantMessage): void {
			void orElse(
				() => this.#sessions.#store(run, this.#session, message),
				(error) => this.#sessions.#parts.warn("storing a conversation", error),
			);
		}

		mayRetry(): GatewayError | undefined {
			return this.#session.spend?.mayRepeat();
		}

		retried(run: CursorRun, reason: RetryReason): void {
			this.#sessions.#parts.teller.retried(run, reason);
		}

		over(run: CursorRun, how: RunEnd, error?: GatewayError): void {
			const { desk, teller } = this.#sessions.#parts;
			this.#sessions.unpark(run, "gone");
			desk.replied(run);
			teller.ended(run, how, error);
		}
	};

	#park(run: CursorRun, session: RunSession): void {
		const { parked, teller, desk, others, clock } = this.#parts;
		session.request = undefined;
		session.spend = undefined;
		desk.replied(run);
		const builtInCalls = run.toolUse?.pendingBuiltIns ?? 0;
		const waiting = { run, session, calls: new Set(run.pendingCalls), builtInCalls, since: clock.now() };
		teller.parked(waiting);
		parked.add(waiting);
		others.parked({ runId: run.runId, caller: session.caller, calls: waiting.calls });
		this.#deadlines.watch();
	}

	/** Stores Cursor's state of the conversation, to be found by the transcript that leads to it. */
	#store(run: CursorRun, session: RunSession, message: AssistantMessage): Soon<void> {
		const { caller, conversationId, request, elsewhere } = session;
		const stored = run.stored();
		if (stored) elsewhere?.replied(stored);
		if (stored && request) return this.#parts.stored.keep(caller, conversationId, request, message, stored);
	}
}
