import { GatewayError } from "../turn/error.ts";
import type { StoredConversation } from "../upstream/protocols/stored-conversation.ts";
import type { CursorRun } from "../upstream/run/run.ts";
import type { SharedReply } from "../upstream/run/shared-reply.ts";
import type { AnsweredCalls } from "./answered-calls.ts";
import { type ParkedResolution, resolveParked } from "./find-parked.ts";
import type { ParkedRuns } from "./parked-runs.ts";
import type { GroupListener, GroupMember, GroupQuestion, GroupTurn, KnownRun } from "./run-group.ts";
import { type LostRun, NOBODY_WAITS } from "./rung-reason.ts";
import type { StoredConversations } from "./stored-conversations.ts";

/** What the desk needs of the ladder. */
export interface DeskParts {
	parked: ParkedRuns;
	answered: AnsweredCalls;
	stored: StoredConversations;
	resume(
		question: GroupQuestion,
		listener: GroupListener,
		resolution: Extract<ParkedResolution, { kind: "resume" }>,
	): GroupTurn;
	replay(reply: SharedReply, listener: GroupListener): GroupTurn;
	giveUp(run: CursorRun): void;
	warn(what: string, error: unknown): void;
}

/** Serves other gateways of the group with the runs that wait here, by the same decision as this gateway's own clients. */
export class GroupDesk implements GroupMember {
	readonly #parts: DeskParts;
	/** Replies under way that went on with results: what another gateway may have taken while this one stood still. */
	readonly #replying = new Map<string, { run: CursorRun; reply: SharedReply }>();

	constructor(parts: DeskParts) {
		this.#parts = parts;
	}

	replying(run: CursorRun, reply: SharedReply): void {
		this.#replying.set(run.runId, { run, reply });
	}

	/** The reply is over: the run waits, or is over as well. */
	replied({ runId }: CursorRun): void {
		this.#replying.delete(runId);
	}

	answer(question: GroupQuestion, listener: GroupListener): GroupTurn | LostRun {
		const { parked, answered, resume, replay, giveUp } = this.#parts;
		const resolution = resolveParked(question, question, question.caller, parked, answered);
		if (resolution.kind === "resume") return resume(question, listener, resolution);
		if (resolution.kind === "replay") return replay(resolution.reply, listener);
		for (const { run } of resolution.superseded) giveUp(run);
		return resolution.reason ?? NOBODY_WAITS;
	}

	keep(caller: string, conversationId: string, key: string, stored: StoredConversation): void {
		const { stored: conversations, warn } = this.#parts;
		conversations.keepAs(caller, conversationId, key, stored).catch((error) => warn("storing a conversation", error));
	}

	giveUp(caller: string, callId: string): void {
		const parked = this.#parts.parked.find(caller, callId);
		if (parked) this.#parts.giveUp(parked.run);
	}

	taken(runId: string): void {
		const { parked } = this.#parts;
		for (const each of [...parked.list()]) if (each.run.runId === runId) parked.drop(each, "taken");
		const replying = this.#replying.get(runId);
		if (!replying) return;
		const message = "This gateway stood still, and another one took the conversation over.";
		replying.reply.failed(new GatewayError("upstream-reset", message));
		replying.run.cancel();
	}

	*knownRuns(): Iterable<KnownRun> {
		for (const { run, session, calls } of this.#parts.parked.list()) {
			yield { runId: run.runId, caller: session.caller, calls };
		}
	}
}
