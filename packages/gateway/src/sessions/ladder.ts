import type { PoolFallback } from "../guard/pool-fallback.ts";
import type { Fact, LiveFact } from "../observe/facts.ts";
import type { Clock } from "../time/clock.ts";
import { inSlices } from "../time/slices.ts";
import { type Soon, soon } from "../time/soon.ts";
import type { GatewayError } from "../turn/error.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { TurnRequest } from "../turn/request.ts";
import { bringsResults } from "../turn/trailing.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import { SharedReply } from "../upstream/run/shared-reply.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import type { Asker } from "./asker.ts";
import { type BroughtResults, broughtResults, type ParkedResolution, resolveParked } from "./find-parked.ts";
import { GroupDesk } from "./group-desk.ts";
import { OtherGateways } from "./other-gateways.ts";
import { type ParkedLimits, ParkedRuns, type RunSession } from "./parked-runs.ts";
import type { RunGroup } from "./run-group.ts";
import { RunOpener } from "./run-opener.ts";
import { RunSessions } from "./run-sessions.ts";
import { RunTeller } from "./run-teller.ts";
import type { RungReason } from "./rung-reason.ts";
import { admitted } from "./spending.ts";
import type { StartedTurn } from "./started-turn.ts";
import { StoredConversations, type StoredConversationsOptions } from "./stored-conversations.ts";
import { type WaitingRun, waitingRun } from "./waiting-runs.ts";

export interface LadderOptions extends StoredConversationsOptions {
	clock: Clock;
	parked: ParkedLimits;
	/** Another model for runs that would use up a pool. Default: none. */
	fallback?: PoolFallback;
	/** Hears what becomes of runs. */
	tell(fact: Exclude<Fact, LiveFact>): void;
	/** Milliseconds since 1970. */
	now(): number;
}

/**
 * Decides how a request reaches Cursor. A request that continues a conversation takes the first rung that is proved to
 * be right: `parked` (its results go into a stream that waits for them), `checkpoint` (only its new message is sent) or
 * `rebuild` (the whole history is sent). A request without a history is `new`.
 */
export class Ladder {
	readonly #options: LadderOptions;
	readonly #parked: ParkedRuns;
	readonly #stored: StoredConversations;
	readonly #answered = new AnsweredCalls();
	readonly #teller: RunTeller;
	/** Serves the other gateways of the group. */
	readonly desk: GroupDesk;
	readonly #others: OtherGateways;
	readonly #sessions: RunSessions;
	readonly #opener: RunOpener;

	constructor(options: LadderOptions) {
		this.#options = options;
		this.#stored = new StoredConversations(options);
		this.#teller = new RunTeller(options);
		this.#parked = new ParkedRuns(options.parked, (parked, how) => this.#teller.unparked(parked, how));
		this.#others = new OtherGateways(this.#stored);
		this.desk = new GroupDesk({
			parked: this.#parked,
			answered: this.#answered,
			stored: this.#stored,
			resume: (asker, elsewhere, resolution) =>
				this.#resume(asker, { request: undefined, elsewhere }, elsewhere, resolution),
			replay: (reply, listener) => this.#replay(reply, listener),
			giveUp: (run) => this.#giveUp(run),
			warn: options.warn,
		});
		this.#sessions = new RunSessions({
			parked: this.#parked,
			deadlineMs: options.parked.deadlineMs,
			stored: this.#stored,
			teller: this.#teller,
			desk: this.desk,
			others: this.#others,
			clock: options.clock,
			warn: options.warn,
		});
		this.#opener = new RunOpener(this.#stored, this.#sessions, options.fallback);
	}

	joins(group: RunGroup): void {
		this.#others.join(group);
	}

	get parkedRuns(): number {
		return this.#parked.size;
	}

	/** The runs that wait for tool results, the longest wait first. */
	waiting(): WaitingRun[] {
		const now = this.#options.clock.now();
		const time = this.#options.now();
		return Array.from(this.#parked.list(), (parked) => waitingRun(parked, now, time));
	}

	/**
	 * Opens a turn, whose reply goes to the listener. Fails when that is not possible. `needsOwnConversation`: another
	 * reply to the same request is being given, so this one must not share its conversation.
	 */
	climb(request: TurnRequest, asker: Asker, listener: TurnListener, needsOwnConversation = false): Soon<StartedTurn> {
		if (needsOwnConversation) return this.#climbAlone(request, asker, listener, "another choice of the same request");
		if (bringsResults(request.messages)) return this.#climbWithResults(request, asker, listener);
		return asker.spend ? this.#climbAlone(request, asker, listener) : this.#opener.open(request, asker, listener);
	}

	/** A run of its own, once it may spend what it will. */
	#climbAlone(request: TurnRequest, asker: Asker, listener: TurnListener, another?: RungReason): Soon<StartedTurn> {
		return admitted(asker.spend, another !== undefined, () => this.#opener.open(request, asker, listener, another));
	}

	#climbWithResults(request: TurnRequest, asker: Asker, listener: TurnListener): Soon<StartedTurn> {
		return soon(inSlices(broughtResults(request)), (brought) =>
			soon(brought && this.#others.catchUp(), () => this.#decide(request, asker, listener, brought)),
		);
	}

	/** Ends the run that waits for a result of this call, if there is one. */
	giveUp(caller: string, callId: string): void {
		const parked = this.#parked.find(caller, callId);
		if (parked) this.#giveUp(parked.run);
		else this.#others.answeredWithout(caller, [callId]);
	}

	/** Ends a run that waits because the owner wants it. False: there is none with this id. */
	stop(runId: string): boolean {
		for (const parked of this.#parked.list()) {
			if (parked.run.runId !== runId) continue;
			this.#parked.drop(parked, "stopped");
			return true;
		}
		return false;
	}

	/** Ends all parked runs, or those of certain callers. */
	closeParked(isMeant?: (caller: string) => boolean): void {
		this.#parked.closeAll(isMeant);
	}

	#decide(
		request: TurnRequest,
		asker: Asker,
		listener: TurnListener,
		brought: BroughtResults | undefined,
	): Soon<StartedTurn> {
		const resolve = () => resolveParked(request, brought, asker.caller, this.#parked, this.#answered);
		const take = (resolution: ParkedResolution) => this.#take(resolution, request, asker, listener, brought);
		const { spend } = asker;
		const first = resolve();
		// What is repeated is not charged twice.
		if (!spend || first.kind === "replay") return take(first);
		return soon(spend.admit(first.kind === "resume" || this.#others.mayHave(first, brought), false), (refusal) =>
			soon(brought && this.#others.catchUp(), () => {
				// Meanwhile the same results may have come again, and the run, or another gateway, may have taken them.
				const now = resolve();
				if (now.kind === "replay") spend.release();
				else if (refusal) this.#endRefused(now, asker.caller, brought, refusal);
				return take(now);
			}),
		);
	}

	/** Results are refused like everything else, and then the run that waits for them ends, which saves the money. */
	#endRefused(
		resolution: Exclude<ParkedResolution, { kind: "replay" }>,
		caller: string,
		brought: BroughtResults | undefined,
		refusal: GatewayError,
	): never {
		const waiting = resolution.kind === "resume" ? [resolution.parked] : resolution.superseded;
		for (const parked of waiting) this.#parked.drop(parked, "limited");
		if (this.#others.mayHave(resolution, brought)) {
			this.#others.answeredWithout(caller, brought?.trailing.results.map(({ callId }) => callId) ?? []);
		}
		throw refusal;
	}

	#take(
		resolution: ParkedResolution,
		request: TurnRequest,
		asker: Asker,
		listener: TurnListener,
		brought: BroughtResults | undefined,
	): Soon<StartedTurn> {
		const { spend } = asker;
		if (resolution.kind === "resume") return this.#resume(asker, { request, spend }, listener, resolution);
		if (resolution.kind === "replay") return this.#replay(resolution.reply, listener);
		const { superseded, reason } = resolution;
		for (const { run } of superseded) this.#giveUp(run);
		if (!this.#others.mayHave(resolution, brought)) return this.#opener.open(request, asker, listener, reason);
		return soon(this.#others.ask(request, asker, brought, listener), (turn) => {
			if (typeof turn === "string") return this.#opener.open(request, asker, listener, turn);
			if (turn.reason === "repeats an earlier request") spend?.release();
			return { ...turn, path: "parked" as const };
		});
	}

	/** Results for a run that waits here, which a client or another gateway has brought. */
	#resume(
		{ caller }: Pick<Asker, "caller">,
		next: Pick<RunSession, "request" | "elsewhere" | "spend">,
		listener: TurnListener,
		{ parked, results, given, ignored }: Extract<ParkedResolution, { kind: "resume" }>,
	): StartedTurn {
		const { run, session } = parked;
		const { conversationId } = session;
		const now = this.#options.clock.now();
		this.#sessions.unpark(run, "answered");
		session.request = next.request;
		session.elsewhere = next.elsewhere;
		session.spend = next.spend;
		const reply = new SharedReply(run, conversationId, run.answering);
		const handle = reply.join(listener);
		this.#answered.add(caller, given, reply, now);
		if (this.#others.exist) this.desk.replying(run, reply);
		run.giveResults(results, reply);
		return {
			path: "parked",
			reason: "results of open calls",
			run,
			waitedMs: now - parked.since,
			session: conversationId,
			model: run.answering,
			warnings: ignored > 0 ? [`${ignored} tool results answer no open call and were ignored`] : [],
			precedesResults: run.phase === "waiting",
			handle,
		};
	}

	#giveUp(run: CursorRun): void {
		this.#sessions.unpark(run, "gone");
		run.cancel();
	}

	/** A retry shares the reply to the request that it repeats. */
	#replay(reply: SharedReply, listener: TurnListener): StartedTurn {
		this.#teller.replayed(reply.isOver ? "replayed" : "joined");
		const handle = reply.join(listener);
		const { session, model } = reply;
		const reason = "repeats an earlier request";
		return { path: "parked", reason, session, model, warnings: [], precedesResults: false, handle };
	}
}
