import { toBinary } from "@bufbuild/protobuf";
import { ConversationStateStructureSchema } from "@cursorwire/protocol/agent";
import type { Store } from "../store/store.ts";
import type { TurnPath } from "../turn/event.ts";
import { normalizeForComparison, repairHistory } from "../turn/normalize.ts";
import type { AssistantMessage, TurnRequest } from "../turn/request.ts";
import type { TurnHandle, TurnListener } from "../turn/run.ts";
import { reachableBlobs } from "../upstream/agent/reachable-blobs.ts";
import type { CursorAccount, RunConversation } from "../upstream/cursor-account.ts";
import type { AgentRun } from "../upstream/run.ts";
import type { Clock } from "../wire/clock.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import { conversationKey, toolSetHash } from "./hashes.ts";
import { type ParkedLimits, ParkedRuns } from "./parked-runs.ts";
import { Recording } from "./recording.ts";
import { resolveParked } from "./resolve.ts";
import { SessionListener } from "./session-listener.ts";

export interface SessionsOptions {
	store: Pick<Store, "putCheckpoint" | "findCheckpoint">;
	clock: Clock;
	parked: ParkedLimits;
	newConversationId(): string;
	/** Something failed beside the request, which goes on without it. */
	warn(what: string, error: unknown): void;
}

/** Who asks, and on which Cursor account it runs. */
export interface Asker {
	caller: string;
	account: CursorAccount;
}

export interface StartedTurn {
	path: TurnPath;
	/** The conversation that the turn belongs to. */
	session: string;
	model: string;
	warnings: string[];
	handle: TurnHandle;
}

const EXPIRY_CHECK_MS = 5_000;

/**
 * The ladder: a request that continues a conversation takes the first rung that can be proved right. Parked, its results
 * go into a stream that waits for them; checkpoint, only its new message travels; rebuild, everything does.
 */
export class Sessions {
	readonly #options: SessionsOptions;
	readonly #parked: ParkedRuns;
	readonly #answered = new AnsweredCalls();
	#stopExpiry: (() => void) | undefined;

	constructor(options: SessionsOptions) {
		this.#options = options;
		this.#parked = new ParkedRuns(options.parked);
	}

	get parkedRuns(): number {
		return this.#parked.size;
	}

	/** Starts a turn; its response goes to the listener. Rejects where it cannot even be started. */
	async start(request: TurnRequest, asker: Asker, listener: TurnListener): Promise<StartedTurn> {
		const resolution = resolveParked(request, asker.caller, this.#parked, this.#answered);
		if (resolution.kind === "resume") return this.#resume(request, asker, listener, resolution);
		if (resolution.kind === "replay") return this.#replay(resolution.recording, request, listener);
		for (const { run } of resolution.superseded) {
			this.#parked.remove(run);
			run.cancel();
		}
		return this.#open(request, asker, listener);
	}

	/** Ends all runs that wait, or those of one caller. */
	closeParked(caller?: string): void {
		this.#parked.closeAll(caller);
	}

	#resume(
		request: TurnRequest,
		asker: Asker,
		listener: TurnListener,
		{ parked, results, hashes, ignored }: Extract<ReturnType<typeof resolveParked>, { kind: "resume" }>,
	): StartedTurn {
		const { run, conversationId, model } = parked;
		this.#parked.remove(run);
		const recording = new Recording();
		recording.attach(listener);
		this.#answered.add(asker.caller, hashes, recording, this.#options.clock.now());
		const facts = { runId: run.runId, model, path: "parked" as const };
		run.answer(results, this.#sessionListener(recording, facts, run, request, asker, conversationId));
		return {
			path: "parked",
			session: conversationId,
			model,
			warnings: ignored > 0 ? [`${ignored} tool results answer no open call and were ignored`] : [],
			handle: sharedHandle(run, recording, listener),
		};
	}

	#replay(recording: Recording, request: TurnRequest, listener: TurnListener): StartedTurn {
		recording.attach(listener);
		const handle = { pause() {}, resume() {}, cancel: () => void recording.detach(listener) };
		return { path: "parked", session: "", model: request.model, warnings: [], handle };
	}

	async #open(request: TurnRequest, asker: Asker, listener: TurnListener): Promise<StartedTurn> {
		const repaired = repairHistory(request.messages);
		const whole: TurnRequest = { ...request, messages: repaired.messages };
		const { conversation, path } = await this.#conversationOf(whole, asker.caller);
		const { run, model, warnings } = await asker.account.prepareRun(whole, conversation, {
			parked: (self) => this.#park(self, request, asker.caller, conversation.conversationId),
			over: (self) => void this.#parked.remove(self),
		});
		const facts = { runId: run.runId, model: request.model, path };
		run.start(this.#sessionListener(listener, facts, run, whole, asker, conversation.conversationId));
		return {
			path,
			session: conversation.conversationId,
			model,
			warnings: [...repaired.warnings, ...warnings],
			handle: run,
		};
	}

	/** The second and the third rung. */
	async #conversationOf(
		request: TurnRequest,
		caller: string,
	): Promise<{ conversation: RunConversation; path: TurnPath }> {
		const { store, newConversationId, warn } = this.#options;
		const begins = !request.messages.some(({ role }) => role !== "user");
		const fresh = {
			conversation: { conversationId: newConversationId() },
			path: begins ? ("new" as const) : ("rebuild" as const),
		};
		const prefix = request.messages.slice(0, -1);
		if (request.messages.at(-1)?.role !== "user" || prefix.at(-1)?.role !== "assistant") return fresh;
		try {
			const found = await store.findCheckpoint(caller, keyOf(request, prefix));
			if (!found) return fresh;
			const { conversationId, state, blobs } = found;
			return { conversation: { conversationId, stored: { state, blobs } }, path: "checkpoint" };
		} catch (error) {
			warn("looking for a stored conversation", error);
			return fresh;
		}
	}

	#sessionListener(
		target: TurnListener,
		facts: { runId: string; model: string; path: TurnPath },
		run: AgentRun,
		request: TurnRequest,
		asker: Asker,
		conversationId: string,
	): TurnListener {
		return new SessionListener(target, facts, (answer) => {
			this.#store(run, request, answer, asker.caller, conversationId).catch((error) =>
				this.#options.warn("storing a conversation", error),
			);
		});
	}

	#park(run: AgentRun, request: TurnRequest, caller: string, conversationId: string): void {
		const { clock } = this.#options;
		this.#parked.add({
			run,
			caller,
			model: request.model,
			tools: toolSetHash(request.tools),
			conversationId,
			calls: new Set(run.pendingCalls),
			since: clock.now(),
		});
		this.#watchDeadlines();
	}

	#watchDeadlines(): void {
		if (this.#stopExpiry || this.#parked.size === 0) return;
		this.#stopExpiry = this.#options.clock.after(EXPIRY_CHECK_MS, () => {
			this.#stopExpiry = undefined;
			this.#parked.expire(this.#options.clock.now());
			this.#watchDeadlines();
		});
	}

	/** Keeps the state that Cursor gave us under the transcript that leads to it. */
	async #store(
		run: AgentRun,
		request: TurnRequest,
		answer: AssistantMessage,
		caller: string,
		conversationId: string,
	): Promise<void> {
		const state = run.checkpoint;
		const blobs = state && reachableBlobs(state, run.blobs);
		if (!state || !blobs) return;
		const { messages } = repairHistory([...request.messages, answer]);
		const key = keyOf(request, messages);
		const blobIds = [...blobs.keys()].map((id) => Buffer.from(id, "hex"));
		const record = { caller, key, conversationId, state: toBinary(ConversationStateStructureSchema, state), blobIds };
		await this.#options.store.putCheckpoint(record, blobs);
	}
}

function keyOf(request: TurnRequest, messages: TurnRequest["messages"]): string {
	return conversationKey(request.model, toolSetHash(request.tools), normalizeForComparison(messages));
}

/** A response that a retry may share: it is cancelled when the last one has left. */
function sharedHandle(run: AgentRun, recording: Recording, listener: TurnListener): TurnHandle {
	return {
		pause: () => run.pause(),
		resume: () => run.resume(),
		cancel: () => {
			if (recording.detach(listener) === 0 && !recording.over) run.cancel();
		},
	};
}
