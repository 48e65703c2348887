import type { PoolFallback } from "../guard/pool-fallback.ts";
import { type Soon, soon } from "../time/soon.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { TurnRequest } from "../turn/request.ts";
import type { OpenedRun } from "../upstream/account/cursor-account.ts";
import type { Asker } from "./asker.ts";
import { type RepairedRequest, repairedRequest } from "./repaired-request.ts";
import type { RunSessions } from "./run-sessions.ts";
import type { RungReason } from "./rung-reason.ts";
import { requestInstead } from "./spending.ts";
import type { StartedTurn } from "./started-turn.ts";
import type { ChosenRung, StoredConversations } from "./stored-conversations.ts";

/** A request on its way into a run of its own. */
interface Opening {
	asker: Asker;
	listener: TurnListener;
	/** The name by which the client knows the model. */
	model: string;
	/** Why no higher rung than a rebuild is possible. */
	mustRebuild: RungReason | undefined;
}

/** Opens a run of its own for a request, on the highest rung below `parked`. */
export class RunOpener {
	readonly #stored: StoredConversations;
	readonly #sessions: RunSessions;
	readonly #fallback: PoolFallback | undefined;

	constructor(stored: StoredConversations, sessions: RunSessions, fallback: PoolFallback | undefined) {
		this.#stored = stored;
		this.#sessions = sessions;
		this.#fallback = fallback;
	}

	open(request: TurnRequest, asker: Asker, listener: TurnListener, mustRebuild?: RungReason): Soon<StartedTurn> {
		const opening = { asker, listener, mustRebuild, model: request.model };
		return soon(requestInstead(request, asker, this.#fallback), this.#repair, opening);
	}

	readonly #repair = (request: TurnRequest, opening: Opening): Soon<StartedTurn> =>
		soon(repairedRequest(request), this.#choose, opening);

	readonly #choose = (repaired: RepairedRequest, opening: Opening): Soon<StartedTurn> => {
		const { asker, mustRebuild } = opening;
		return soon(this.#stored.choose(repaired.whole, asker.caller, mustRebuild), this.#prepare, repaired, opening);
	};

	readonly #prepare = (chosen: ChosenRung, repaired: RepairedRequest, opening: Opening): Soon<StartedTurn> => {
		const { whole, tools, warnings } = repaired;
		const { asker, model } = opening;
		const { caller, origin, spend, account } = asker;
		const { conversation } = chosen;
		const { conversationId } = conversation;
		const watch = this.#sessions.watch({ caller, origin, conversationId, model, tools, request: whole, spend });
		const prepared = account.prepareRun(whole, conversation, watch);
		const opened = warnings.length > 0 ? soon(prepared, withWarnings, warnings) : prepared;
		return soon(opened, startRun, opening.listener, chosen);
	};
}

function withWarnings(opened: OpenedRun, warnings: readonly string[]): OpenedRun {
	opened.warnings.unshift(...warnings);
	return opened;
}

function startRun({ run, warnings, askedMs }: OpenedRun, listener: TurnListener, chosen: ChosenRung): StartedTurn {
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
		askedMs,
		precedesResults: false,
		handle: run,
	};
}
