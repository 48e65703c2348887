import type { TurnSpend } from "../guard/turn-spend.ts";
import type { RequestOrigin, RunUnparked } from "../observe/facts.ts";
import type { TurnRequest } from "../turn/request.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { GroupListener } from "./run-group.ts";
import type { LostRun } from "./rung-reason.ts";

/** What is known of a run from its first turn to its last. */
export interface RunSession {
	caller: string;
	origin?: Pick<RequestOrigin, "key" | "client"> | undefined;
	conversationId: string;
	/** The model and the tools that the run knows. A request with others is another conversation. */
	model: string;
	tools: string;
	/** The request that the run replies to; undefined while it waits for results. */
	request: TurnRequest | undefined;
	/** What the turn that it replies to spends. */
	spend?: TurnSpend | undefined;
	/** The other gateway that has this request, if it came in there. */
	elsewhere?: GroupListener | undefined;
}

export interface ParkedRun {
	run: CursorRun;
	session: RunSession;
	/** Ids of the calls whose results it waits for. */
	calls: ReadonlySet<string>;
	/** How many of them are for Cursor's own tools, which the client's tools stand for. */
	builtInCalls: number;
	since: number;
}

export interface ParkedLimits {
	deadlineMs: number;
	total: number;
	perCaller: number;
}

export const DEFAULT_PARKED_LIMITS: ParkedLimits = { deadlineMs: 15 * 60_000, total: 256, perCaller: 32 };

/** How a wait ended. `stopped`: by the owner; `limited`: by a limit of the owner; `taken`: by another gateway. */
export type WaitEnd = RunUnparked["how"] | "stopped" | "limited" | "taken";

const LOST: Readonly<Record<Exclude<WaitEnd, "answered">, LostRun>> = {
	expired: "the run has expired",
	evicted: "the run was ended to make room",
	gone: "the run was cut off",
	stopped: "the run was stopped",
	limited: "a limit ended the run",
	taken: "another gateway took the run over",
};
/** Of so many calls it is known why nothing waits for their results any more. */
const MOST_LOST = 1_024;

/** Runs that wait for tool results. The ids of their calls are the only way to find them. */
export class ParkedRuns {
	readonly #limits: ParkedLimits;
	/** Told of every run that waits no longer. */
	readonly #left: (parked: ParkedRun, how: WaitEnd) => void;
	readonly #byCall = new Map<string, ParkedRun>();
	/** In the order in which they were parked. */
	readonly #runs = new Map<CursorRun, ParkedRun>();
	readonly #lost = new Map<string, LostRun>();

	constructor(limits: ParkedLimits, left: (parked: ParkedRun, how: WaitEnd) => void = () => {}) {
		this.#limits = limits;
		this.#left = left;
	}

	get size(): number {
		return this.#runs.size;
	}

	/** In the order in which they were parked. */
	list(): Iterable<ParkedRun> {
		return this.#runs.values();
	}

	add(parked: ParkedRun): void {
		this.#runs.set(parked.run, parked);
		for (const call of parked.calls) this.#byCall.set(key(parked.session.caller, call), parked);
		this.#evict(parked.session.caller);
	}

	/** The id of another caller's call finds nothing, like an id that never existed. */
	find(caller: string, callId: string): ParkedRun | undefined {
		return this.#byCall.get(key(caller, callId));
	}

	/** Why the run that waited for this call does so no longer, where that is known. */
	lost(caller: string, callId: string): LostRun | undefined {
		return this.#lost.get(key(caller, callId));
	}

	remove(run: CursorRun, how: WaitEnd): ParkedRun | undefined {
		const parked = this.#runs.get(run);
		if (!parked) return undefined;
		this.#runs.delete(run);
		for (const call of parked.calls) {
			const name = key(parked.session.caller, call);
			this.#byCall.delete(name);
			if (how !== "answered") this.#lose(name, LOST[how]);
		}
		this.#left(parked, how);
		return parked;
	}

	/** Ends runs that have waited too long. */
	expire(now: number): void {
		for (const parked of this.#runs.values()) {
			if (now - parked.since < this.#limits.deadlineMs) return;
			this.drop(parked, "expired");
		}
	}

	closeAll(isMeant: (caller: string) => boolean = () => true): void {
		for (const parked of [...this.#runs.values()]) if (isMeant(parked.session.caller)) this.drop(parked, "gone");
	}

	/** Ends a run that waits. */
	drop(parked: ParkedRun, how: WaitEnd): void {
		this.remove(parked.run, how);
		parked.run.cancel();
	}

	/** Ends the oldest run, of this caller or of all callers, when there are too many. */
	#evict(caller: string): void {
		const own = [...this.#runs.values()].filter(({ session }) => session.caller === caller);
		if (own.length > this.#limits.perCaller) this.drop(own[0]!, "evicted");
		const oldest = this.#runs.values().next().value;
		if (this.#runs.size > this.#limits.total && oldest) this.drop(oldest, "evicted");
	}

	#lose(name: string, why: LostRun): void {
		this.#lost.set(name, why);
		if (this.#lost.size > MOST_LOST) this.#lost.delete(this.#lost.keys().next().value!);
	}
}

const key = (caller: string, callId: string) => `${caller}\n${callId}`;
