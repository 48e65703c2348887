import type { Soon } from "../time/soon.ts";
import type { TurnListener } from "../turn/listener.ts";
import type { AssistantMessage, TurnRequest } from "../turn/request.ts";
import type { Asker } from "./asker.ts";
import type { BroughtResults, ParkedResolution } from "./find-parked.ts";
import type { GroupTurn, KnownRun, RunGroup } from "./run-group.ts";
import { type LostRun, NOBODY_WAITS } from "./rung-reason.ts";
import type { StoredConversations } from "./stored-conversations.ts";

/** The other gateways of the group, where this one belongs to a group: asked about runs that do not wait here. */
export class OtherGateways {
	readonly #stored: StoredConversations;
	/** The gateways that share a Redis with this one. */
	#group: RunGroup | undefined;

	constructor(stored: StoredConversations) {
		this.#stored = stored;
	}

	join(group: RunGroup): void {
		this.#group = group;
	}

	get exist(): boolean {
		return this.#group !== undefined;
	}

	/** Finds out what they may have taken from this gateway, where that is not known. */
	catchUp(): Soon<void> {
		const group = this.#group;
		return !group || group.isSure ? undefined : group.refresh();
	}

	/** Whether the run that waits for these results may be theirs. */
	mayHave(resolution: ParkedResolution, brought: BroughtResults | undefined): boolean {
		const isOurs = resolution.kind !== "none" || resolution.reason !== NOBODY_WAITS;
		return this.#group !== undefined && brought !== undefined && !isOurs;
	}

	/** Asks for the run that waits for these results. Otherwise the reason why nobody takes them. */
	ask(
		request: TurnRequest,
		{ caller, origin }: Asker,
		brought: BroughtResults | undefined,
		listener: TurnListener,
	): Soon<GroupTurn | LostRun> {
		if (!this.#group || !brought) return NOBODY_WAITS;
		const keyOf = (message: AssistantMessage) => this.#stored.keyOf(request, message);
		return this.#group.ask({ caller, origin, model: request.model, ...brought }, listener, keyOf);
	}

	parked(run: KnownRun): void {
		this.#group?.parked(run);
	}

	/** Ends the run that waits for results of these calls, if one of them has it. */
	answeredWithout(caller: string, calls: readonly string[]): void {
		this.#group?.answeredWithout(caller, calls);
	}
}
