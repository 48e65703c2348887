import type { RequestOrigin } from "../observe/facts.ts";
import type { Soon } from "../time/soon.ts";
import type { TurnHandle, TurnListener } from "../turn/listener.ts";
import type { AssistantMessage } from "../turn/request.ts";
import type { Trailing } from "../turn/trailing.ts";
import type { AnsweringModel } from "../upstream/catalog/answering-model.ts";
import type { StoredConversation } from "../upstream/protocols/stored-conversation.ts";
import type { GivenResults } from "./answered-calls.ts";
import type { LostRun, RungReason } from "./rung-reason.ts";

// What the ladder and a group of gateways say to each other (ADR 61). The ladder knows nothing of how they are joined.

/** The results of a request, with all that is needed to decide about them. */
export interface GroupQuestion {
	caller: string;
	origin?: Pick<RequestOrigin, "key" | "client"> | undefined;
	model: string;
	/** Hash of the tools. */
	tools: string;
	trailing: Trailing;
	given: GivenResults;
}

/** What the gateway that has the run says of the turn that it opened. */
export interface OwnersReply {
	reason: RungReason;
	waitedMs?: number;
	session: string;
	model: AnsweringModel;
	warnings: string[];
	precedesResults: boolean;
}

export interface GroupTurn extends OwnersReply {
	handle: TurnHandle;
}

/** Gets a reply for another gateway, and Cursor's state of the conversation after it. */
export interface GroupListener extends TurnListener {
	replied(stored: StoredConversation): void;
}

/** The name under which the conversation is kept after this reply. */
export type KeyOfReply = (message: AssistantMessage) => Soon<string>;

/** A run that waits, for the group to know. */
export interface KnownRun {
	runId: string;
	caller: string;
	calls: Iterable<string>;
}

/** The gateways that share a Redis, as the ladder of one of them sees them. */
export interface RunGroup {
	/** False: others may have taken runs of this gateway, and `refresh` finds out. */
	readonly isSure: boolean;
	refresh(): Promise<void>;
	parked(run: KnownRun): void;
	/** Another gateway may have the run that waits for these results. Otherwise the reason why nobody takes them. */
	ask(question: GroupQuestion, listener: TurnListener, keyOf: KeyOfReply): Promise<GroupTurn | LostRun>;
	/** Ends the run that waits for results of these calls, whoever has it: they were answered without it. */
	answeredWithout(caller: string, calls: readonly string[]): void;
}

/** What the group asks of each gateway. */
export interface GroupMember {
	/** Decides about results that came to another gateway. */
	answer(question: GroupQuestion, listener: GroupListener): GroupTurn | LostRun;
	/** Keeps what `replied` has told. */
	keep(caller: string, conversationId: string, key: string, stored: StoredConversation): void;
	giveUp(caller: string, callId: string): void;
	/** Another gateway has this run now: its stream must be reset before anything goes into it. */
	taken(runId: string): void;
	knownRuns(): Iterable<KnownRun>;
}
