import type { LimitDecided } from "../observe/facts.ts";
import type { SpendLimit } from "../store/spend/spend-limit.ts";
import type { SpendStore } from "../store/spend/spend-store.ts";
import type { PlanShare } from "./plan-share.ts";
import type { SpendCounters } from "./spend-counters.ts";
import type { WarningBook } from "./warning-book.ts";

/** What turns need of the guard. */
export interface SpendDesk {
	readonly store: Pick<SpendStore, "takeSpend" | "changeSpend">;
	/** As the owner wants them now. */
	readonly limits: readonly SpendLimit[];
	readonly share: PlanShare;
	readonly counters: SpendCounters;
	/** Milliseconds since 1970. */
	now(): number;
	decided(limit: SpendLimit, decision: LimitDecided["decision"], text: string): void;
	readonly warnings: WarningBook;
	warn(what: string, error: unknown): void;
}
