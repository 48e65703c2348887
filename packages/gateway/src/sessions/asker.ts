import type { TurnSpend } from "../guard/turn-spend.ts";
import type { RequestOrigin } from "../observe/facts.ts";
import type { CursorAccount } from "../upstream/account/cursor-account.ts";

/** Who asks, and the Cursor account that the turn runs on. */
export interface Asker {
	caller: string;
	account: CursorAccount;
	/** Shown with a run that waits. */
	origin?: Pick<RequestOrigin, "key" | "client">;
	/** Its key, and whether that has limits of its own. */
	keyId?: string;
	hasSpendLimits?: true;
	/** What the turn spends; undefined where no limit is about it. */
	spend?: TurnSpend;
}
