import type { Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import { inSlices } from "../time/slices.ts";
import { orElse, type Soon, soon } from "../time/soon.ts";
import type { Rung } from "../turn/event.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import { repairedHistory } from "../turn/normalize.ts";
import type { AssistantMessage, TurnMessage, TurnRequest } from "../turn/request.ts";
import { bringsResults } from "../turn/trailing.ts";
import type { CursorAccount, OpenedRun, RunConversation } from "../upstream/account/cursor-account.ts";
import type { AnsweringModel } from "../upstream/catalog/answering-model.ts";
import type { StoredConversation } from "../upstream/protocols/stored-conversation.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { RunObserver } from "../upstream/run/run-observer.ts";
import { SharedReply } from "../upstream/run/shared-reply.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import { broughtResults, resolveParked } from "./find-parked.ts";
import { conversationKey } from "./hashes.ts";
import { type ParkedLimits, ParkedRuns, type RunSession } from "./parked-runs.ts";
import { repairedRequest } from "./repaired-request.ts";

export interface LadderOptions {
	store: Pick<Store, "putCheckpoint" | "findCheckpoint">;
	clock: Clock;
	parked: ParkedLimits;
	newConversationId(): string;
	/** Something failed that the request itself does not depend on. */
	warn(what: string, error: unknown): void;
}

/** Who asks, and the Cursor account that the turn runs on. */
export interface Asker {
	caller: string;
	account: CursorAccount;
}

export interface StartedTurn {
	path: Rung;
	/** The conversation that the turn belongs to. */
	session: string;
	model: AnsweringModel;
	warnings: string[];
	/** The reply consists of calls that the model made before it knew the results that the request brought. */
	precedesResults: boolean;
	handle: TurnHandle;
}

/** A run that waits for results, for whoever looks. */
export interface WaitingRun {
	caller: string;
	model: string;
	/** The tools whose results it waits for. */
	tools: string[];
	waitedMs: number;
}

/** How late an expired deadline may be noticed. */
const EXPIRY_CHECK_MS = 5_000;

/**
 * Decides how a request reaches Cursor. A request that continues a conversation takes the first rung that is proved to
 * be right: `parked` (its results go into a stream that waits for them), `checkpoint` (only its new message is sent) or
 * `rebuild` (the whole history is sent). A request without a history is `new`.
 */
export class Ladder {
	readonly #options: LadderOptions;
	readonly #parked: ParkedRuns;
	readonly #answered = new AnsweredCalls();
	#stopExpiry: (() => void) | undefined;

	constructor(options: LadderOptions) {
		this.#options = options;
		this.#parked = new ParkedRuns(options.parked);
	}

	get parkedRuns(): number {
		return this.#parked.size;
	}

	/** The runs that wait for tool results, the longest wait first. */
	waiting(): WaitingRun[] {
		const now = this.#options.clock.now();
		return Array.from(this.#parked.list(), ({ run, session, since }) => ({
			caller: session.caller,
			model: session.model,
			tools: run.pendingTools,
			waitedMs: now - since,
		}));
	}

	/**
	 * Opens a turn, whose reply goes to the listener. Fails when that is not possible. `needsOwnConversation`: another
	 * reply to the same request is being given, so this one must not share its conversation.
	 */
	climb(request: TurnRequest, asker: Asker, listener: TurnListener, needsOwnConversation = false): Soon<StartedTurn> {
		if (needsOwnConversation || !bringsResults(request.messages)) {
			return this.#open(request, asker, listener, needsOwnConversation);
		}
		return soon(inSlices(broughtResults(request)), (brought) => {
			const resolution = resolveParked(request, brought, asker.caller, this.#parked, this.#answered);
			if (resolution.kind === "resume") return this.#resume(request, asker, listener, resolution);
			if (resolution.kind === "replay") return replay(resolution.reply, listener);
			for (const { run } of resolution.superseded) this.#giveUp(run);
			return this.#open(request, asker, listener, needsOwnConversation);
		});
	}

	/** Ends the run that waits for a result of this call, if there is one. */
	giveUp(caller: string, callId: string): void {
		const parked = this.#parked.find(caller, callId);
		if (parked) this.#giveUp(parked.run);
	}

	/** Ends all parked runs, or those of certain callers. */
	closeParked(isMeant?: (caller: string) => boolean): void {
		this.#parked.closeAll(isMeant);
	}

	#resume(
		request: TurnRequest,
		asker: Asker,
		listener: TurnListener,
		{ parked, results, given, ignored }: Extract<ReturnType<typeof resolveParked>, { kind: "resume" }>,
	): StartedTurn {
		const { run, session } = parked;
		const { conversationId } = session;
		this.#unpark(run);
		session.request = request;
		const reply = new SharedReply(run, conversationId, run.answering);
		const handle = reply.join(listener);
		this.#answered.add(asker.caller, given, reply, this.#options.clock.now());
		run.giveResults(results, reply);
		return {
			path: "parked",
			session: conversationId,
			model: run.answering,
			warnings: ignored > 0 ? [`${ignored} tool results answer no open call and were ignored`] : [],
			precedesResults: run.phase === "waiting",
			handle,
		};
	}

	#giveUp(run: CursorRun): void {
		this.#unpark(run);
		run.cancel();
	}

	#open(request: TurnRequest, asker: Asker, listener: TurnListener, needsOwnConversation: boolean): Soon<StartedTurn> {
		return soon(repairedRequest(request), ({ whole, tools, warnings }) =>
			soon(this.#conversationOf(whole, asker.caller, needsOwnConversation), ({ conversation, path }) => {
				const { conversationId } = conversation;
				const session = { caller: asker.caller, conversationId, model: request.model, tools, request: whole };
				return soon(
					asker.account.prepareRun(whole, conversation, new Ladder.#SessionWatch(this, session)),
					(opened) => {
						opened.warnings.unshift(...warnings);
						return this.#start(opened, listener, conversationId, path);
					},
				);
			}),
		);
	}

	#start({ run, warnings }: OpenedRun, listener: TurnListener, conversationId: string, path: Rung): StartedTurn {
		run.open(listener, path);
		return {
			path,
			session: conversationId,
			model: run.answering,
			// The run may add to this list until its first event.
			warnings,
			precedesResults: false,
			handle: run,
		};
	}

	/** The rungs below `parked`. */
	#conversationOf(
		request: TurnRequest,
		caller: string,
		needsOwnConversation: boolean,
	): Soon<{ conversation: RunConversation; path: Rung }> {
		const { newConversationId } = this.#options;
		const begins = !request.messages.some(({ role }) => role !== "user");
		const fresh = {
			conversation: { conversationId: newConversationId() },
			path: begins ? ("new" as const) : ("rebuild" as const),
		};
		const prefix = request.messages.slice(0, -1);
		const isNextMessage = request.messages.at(-1)?.role === "user" && prefix.at(-1)?.role === "assistant";
		return needsOwnConversation || !isNextMessage ? fresh : this.#storedConversation(request, prefix, caller, fresh);
	}

	async #storedConversation(
		request: TurnRequest,
		prefix: readonly TurnMessage[],
		caller: string,
		fresh: { conversation: RunConversation; path: Rung },
	): Promise<{ conversation: RunConversation; path: Rung }> {
		const { store, warn } = this.#options;
		try {
			const found = await store.findCheckpoint(caller, await inSlices(conversationKey(request, prefix)));
			if (!found) return fresh;
			const { conversationId, state, blobs } = found;
			return { conversation: { conversationId, stored: { state, blobs } }, path: "checkpoint" };
		} catch (error) {
			warn("looking for a stored conversation", error);
			return fresh;
		}
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

		over(run: CursorRun): void {
			this.#ladder.#unpark(run);
		}
	};

	#park(run: CursorRun, session: RunSession): void {
		session.request = undefined;
		this.#parked.add({ run, session, calls: new Set(run.pendingCalls), since: this.#options.clock.now() });
		this.#watchDeadlines();
	}

	#unpark(run: CursorRun): void {
		this.#parked.remove(run);
		if (this.#parked.size > 0) return;
		this.#stopExpiry?.();
		this.#stopExpiry = undefined;
	}

	#watchDeadlines(): void {
		if (this.#stopExpiry || this.#parked.size === 0) return;
		const { clock, parked } = this.#options;
		this.#stopExpiry = clock.after(Math.min(EXPIRY_CHECK_MS, parked.deadlineMs), () => {
			this.#stopExpiry = undefined;
			this.#parked.expire(clock.now());
			this.#watchDeadlines();
		});
	}

	/** Stores Cursor's state of the conversation, to be found by the transcript that leads to it. */
	#store(run: CursorRun, session: RunSession, message: AssistantMessage): Soon<void> {
		const { caller, conversationId, request } = session;
		const stored = run.stored();
		if (stored && request) return this.#storeAs(caller, conversationId, request, message, stored);
	}

	async #storeAs(
		caller: string,
		conversationId: string,
		request: TurnRequest,
		message: AssistantMessage,
		{ state, blobs }: StoredConversation,
	): Promise<void> {
		const { messages } = await inSlices(repairedHistory([...request.messages, message]));
		const key = await inSlices(conversationKey(request, messages));
		const blobIds = [...blobs.keys()].map((id) => Buffer.from(id, "hex"));
		await this.#options.store.putCheckpoint({ caller, key, conversationId, state, blobIds }, blobs);
	}
}

/** A retry shares the reply to the request that it repeats. */
function replay(reply: SharedReply, listener: TurnListener): StartedTurn {
	const handle = reply.join(listener);
	const { session, model } = reply;
	return { path: "parked", session, model, warnings: [], precedesResults: false, handle };
}
