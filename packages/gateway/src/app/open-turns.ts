import { randomUUID } from "node:crypto";
import type { FactStream } from "../observe/facts.ts";
import { Ladder } from "../sessions/ladder.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import type { GatewayStore } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import { DEFAULT_STREAM_LIMITS } from "../turns/stream-limits.ts";
import { TurnService } from "../turns/turn-service.ts";

export interface TurnParts {
	store: GatewayStore;
	clock: Clock;
	facts: FactStream;
	parked: ParkedLimits;
	webSearch: boolean;
	warn(what: string, error: unknown): void;
	reportBug(error: unknown): void;
}

/** What serves turns, and the ladder by which they reach Cursor. */
export function openTurns({ store, clock, facts, parked, webSearch, warn, reportBug }: TurnParts): {
	ladder: Ladder;
	turns: TurnService;
} {
	const ladder = new Ladder({
		store,
		clock,
		parked,
		newConversationId: randomUUID,
		warn,
		tell: (fact) => facts.tell(fact),
		now: Date.now,
	});
	const turns = new TurnService({
		ladder,
		clock,
		streamLimits: DEFAULT_STREAM_LIMITS,
		webSearch,
		now: Date.now,
		reportBug,
		facts,
	});
	return { ladder, turns };
}
