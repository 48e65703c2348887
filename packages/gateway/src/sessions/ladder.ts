import type { Fact, LiveFact, RequestOrigin } from "../observe/facts.ts";
import type { Clock } from "../time/clock.ts";
import { inSlices } from "../time/slices.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import type { GatewayError } from "../turn/error.ts";
import type { Rung } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import type { AssistantMessage, TurnRequest } from "../turn/request.ts";
import { bringsResults } from "../turn/trailing.ts";
import type { CursorAccount, OpenedRun } from "../upstream/account/cursor-account.ts";
import type { AnsweringModel } from "../upstream/catalog/answering-model.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { RetryReason, RunEnd, RunObserver } from "../upstream/run/run-observer.ts";
import { SharedReply } from "../upstream/run/shared-reply.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import { DeadlineWatch } from "./deadline-watch.ts";
import { type BroughtResults, broughtResults, type ParkedResolution, resolveParked } from "./find-parked.ts";
import { GroupDesk } from "./group-desk.ts";
import { type ParkedLimits, ParkedRuns, type RunSession, type WaitEnd } from "./parked-runs.ts";
import { repairedRequest } from "./repaired-request.ts";
import type { RunGroup } from "./run-group.ts";
import { RunTeller } from "./run-teller.ts";
import { NOBODY_WAITS, type RungReason } from "./rung-reason.ts";
import { type ChosenRung, StoredConversations, type StoredConversationsOptions } from "./stored-conversations.ts";
import { type WaitingRun, waitingRun } from "./waiting-runs.ts";

export interface LadderOptions extends StoredConversationsOptions {
	clock: Clock;
	parked: ParkedLimits;
	/** Hears what becomes of runs. */
	tell(fact: Exclude<Fact, LiveFact>): void;
	/** Milliseconds since 1970. */
	now(): number;
}

/** Who asks, and the Cursor account that the turn runs on. */
export interface Asker {
	caller: string;
	account: CursorAccount;
	/** Shown with a run that waits. */
	origin?: Pick<RequestOrigin, "key" | "client">;
}

export interface StartedTurn {
	path: Rung;
	/** Why this rung and not a higher one. */
	reason: RungReason;
	/** The run that replies; undefined if the reply was given before. */
	run?: CursorRun;
	/** How long the run had waited for the results that this request brought. */
	waitedMs?: number;
	/** The conversation that the turn belongs to. */
	session: string;
	model: AnsweringModel;
	warnings: string[];
	/** The reply consists of calls that the model made before it knew the results that the request brought. */
	precedesResults: boolean;
	handle: TurnHandle;
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
	/** The gateways that share a Redis with this one. */
	#group: RunGroup | undefined;
	readonly #deadlines: DeadlineWatch;

	constructor(options: LadderOptions) {
		this.#options = options;
		this.#stored = new StoredConversations(options);
		this.#teller = new RunTeller(options);
		this.#parked = new ParkedRuns(options.parked, (parked, how) => this.#teller.unparked(parked, how));
		this.#deadlines = new DeadlineWatch(this.#parked, options.clock, options.parked.deadlineMs);
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
	}

	joins(group: RunGroup): void {
		this.#group = group;
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
		if (needsOwnConversation) return this.#open(request, asker, listener, "another choice of the same request");
		if (!bringsResults(request.messages)) return this.#open(request, asker, listener);
		return soon(inSlices(broughtResults(request)), (brought) => {
			const group = this.#group;
			if (!group || !brought) return this.#decide(request, asker, listener, brought);
			return soon(group.isSure ? undefined : group.refresh(), () => this.#decide(request, asker, listener, brought));
		});
	}

	/** Ends the run that waits for a result of this call, if there is one. */
	giveUp(caller: string, callId: string): void {
		const parked = this.#parked.find(caller, callId);
		if (parked) this.#giveUp(parked.run);
		else this.#group?.answeredWithout(caller, [callId]);
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
		const resolution = resolveParked(request, brought, asker.caller, this.#parked, this.#answered);
		if (resolution.kind === "resume") return this.#resume(asker, { request }, listener, resolution);
		if (resolution.kind === "replay") return this.#replay(resolution.reply, listener);
		const { superseded, reason } = resolution;
		for (const { run } of superseded) this.#giveUp(run);
		const group = this.#group;
		if (!group || !brought || reason !== NOBODY_WAITS) return this.#open(request, asker, listener, reason);
		const question = { caller: asker.caller, origin: asker.origin, model: request.model, ...brought };
		const keyOf = (message: AssistantMessage) => this.#stored.keyOf(request, message);
		return soon(group.ask(question, listener, keyOf), (turn) =>
			typeof turn === "string" ? this.#open(request, asker, listener, turn) : { ...turn, path: "parked" },
		);
	}

	/** Results for a run that waits here, which a client or another gateway has brought. */
	#resume(
		{ caller }: Pick<Asker, "caller">,
		next: Pick<RunSession, "request" | "elsewhere">,
		listener: TurnListener,
		{ parked, results, given, ignored }: Extract<ParkedResolution, { kind: "resume" }>,
	): StartedTurn {
		const { run, session } = parked;
		const { conversationId } = session;
		const now = this.#options.clock.now();
		this.#unpark(run, "answered");
		session.request = next.request;
		session.elsewhere = next.elsewhere;
		const reply = new SharedReply(run, conversationId, run.answering);
		const handle = reply.join(listener);
		this.#answered.add(caller, given, reply, now);
		if (this.#group) this.desk.replying(run, reply);
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
		this.#unpark(run, "gone");
		run.cancel();
	}

	/** `mustRebuild`: why no higher rung than a rebuild is possible. */
	#open(request: TurnRequest, asker: Asker, listener: TurnListener, mustRebuild?: RungReason): Soon<StartedTurn> {
		return soon(repairedRequest(request), ({ whole, tools, warnings }) =>
			soon(this.#stored.choose(whole, asker.caller, mustRebuild), (chosen) => {
				const { conversationId } = chosen.conversation;
				const { caller, origin } = asker;
				const session = { caller, origin, conversationId, model: request.model, tools, request: whole };
				return soon(
					asker.account.prepareRun(whole, chosen.conversation, new Ladder.#SessionWatch(this, session)),
					(opened) => {
						opened.warnings.unshift(...warnings);
						return this.#start(opened, listener, chosen);
					},
				);
			}),
		);
	}

	#start({ run, warnings }: OpenedRun, listener: TurnListener, chosen: ChosenRung): StartedTurn {
		const { path, reason, conversation } = chosen;
		run.open(listener, path);
		return {
			path,
			reason,
			run,
			session: conversation.conversationId,
			model: run.answering,
			// The run may add to this list until its first event.
			warnings,
			precedesResults: false,
			handle: run,
		};
	}

	/** A retry shares the reply to the request that it repeats. */
	#replay(reply: SharedReply, listener: TurnListener): StartedTurn {
		this.#teller.replayed(reply.isOver ? "replayed" : "joined");
		const handle = reply.join(listener);
		const { session, model } = reply;
		const reason = "repeats an earlier request";
		return { path: "parked", reason, session, model, warnings: [], precedesResults: false, handle };
	}

	/** Follows a run through all of its turns. */
	static readonly #SessionWatch = class implements RunObserver<CursorRun> {
		readonly #ladder: Ladder;
		readonly #session: RunSession;

		constructor(ladder: Ladder, session: RunSession) {
			this.#ladder = ladder;
			this.#session = session;
		}

		parked(run: CursorRun): void {
			this.#ladder.#park(run, this.#session);
		}

		replied(run: CursorRun, message: AssistantMessage): void {
			void orElse(
				() => this.#ladder.#store(run, this.#session, message),
				(error) => this.#ladder.#options.warn("storing a conversation", error),
			);
		}

		retried(run: CursorRun, reason: RetryReason): void {
			this.#ladder.#teller.retried(run, reason);
		}

		over(run: CursorRun, how: RunEnd, error?: GatewayError): void {
			this.#ladder.#unpark(run, "gone");
			this.#ladder.desk.replied(run);
			this.#ladder.#teller.ended(run, how, error);
		}
	};

	#park(run: CursorRun, session: RunSession): void {
		session.request = undefined;
		this.desk.replied(run);
		const parked = { run, session, calls: new Set(run.pendingCalls), since: this.#options.clock.now() };
		this.#teller.parked(parked);
		this.#parked.add(parked);
		this.#group?.parked({ runId: run.runId, caller: session.caller, calls: parked.calls });
		this.#deadlines.watch();
	}

	#unpark(run: CursorRun, how: WaitEnd): void {
		this.#parked.remove(run, how);
		if (this.#parked.size === 0) this.#deadlines.stop();
	}

	/** Stores Cursor's state of the conversation, to be found by the transcript that leads to it. */
	#store(run: CursorRun, session: RunSession, message: AssistantMessage): Soon<void> {
		const { caller, conversationId, request, elsewhere } = session;
		const stored = run.stored();
		if (stored) elsewhere?.replied(stored);
		if (stored && request) return this.#stored.keep(caller, conversationId, request, message, stored);
	}
}
