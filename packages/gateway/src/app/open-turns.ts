import type { LoopLimits } from "../guard/loop-alarm.ts";
import type { PoolFallback } from "../guard/pool-fallback.ts";
import type { SpendGuard } from "../guard/spend-guard.ts";
import type { FactStream } from "../observe/facts.ts";
import { Ladder } from "../sessions/ladder.ts";
import type { ParkedLimits } from "../sessions/parked-runs.ts";
import type { GatewayStore } from "../store/store.ts";
import { newId } from "../text/new-id.ts";
import type { Clock } from "../time/clock.ts";
import type { StreamLimits } from "../turns/stream-limits.ts";
import { TurnService } from "../turns/turn-service.ts";

export interface TurnParts {
	store: GatewayStore;
	clock: Clock;
	facts: FactStream;
	parked: ParkedLimits;
	limits: StreamLimits;
	guard: SpendGuard;
	fallback: PoolFallback;
	loops: LoopLimits;
	webSearch: boolean;
	warn(what: string, error: unknown): void;
	reportBug(error: unknown): void;
}

/** What serves turns, and the ladder by which they reach Cursor. */
export function openTurns(parts: TurnParts): { ladder: Ladder; turns: TurnService } {
	const { store, clock, facts, parked, limits, guard, fallback, loops, webSearch, warn, reportBug } = parts;
	const ladder = new Ladder({
		store,
		clock,
		parked,
		fallback,
		newConversationId: newId,
		warn,
		tell: (fact) => facts.tell(fact),
		now: Date.now,
	});
	const turns = new TurnService({
		ladder,
		clock,
		streamLimits: limits,
		webSearch,
		now: Date.now,
		reportBug,
		facts,
		rowsWait: () => store.isLedgerBusy,
		guard,
		loops,
	});
	return { ladder, turns };
}
