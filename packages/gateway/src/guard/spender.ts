import type { Soon } from "../time/soon.ts";

/** The turn that spends. */
export interface Spender {
	/** What its conversation is counted by; undefined while it has no reply. */
	lineage: string | undefined;
	/** What the client is warned of. */
	warnings: string[];
	/** An estimate of its prompt in tokens. */
	inputTokens(): Soon<number>;
}

/** How a turn ended, for its settlement. */
export interface SpendOutcome {
	/** It failed before its first byte, so it has spent nothing unless a limit has cut it there. */
	hasFailedEarly: boolean;
	/** Of the whole turn. Undefined: nobody told, so the estimate stands. */
	tokens: number | undefined;
	/** What its conversation is counted by from now on. */
	lineage: string | undefined;
}
