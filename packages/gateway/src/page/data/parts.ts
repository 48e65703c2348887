import type { InsideFacts } from "../../doctor/inside.ts";
import type { Standing } from "../../guard/standings.ts";
import type { LedgerReads } from "../../store/ledger-reads.ts";
import type { PoolReadings } from "../../store/pool-readings.ts";
import type { Store, StoredKey } from "../../store/store.ts";
import type { Soon } from "../../time/soon.ts";
import type { CursorAccount } from "../../upstream/account/cursor-account.ts";
import type { CensusRow } from "../../upstream/census/tally.ts";
import type { QuotaWatch } from "../../usage/quota-watch.ts";

/** What the page's data is made from. */
export interface PageDataParts {
	store: LedgerReads & Pick<PoolReadings, "poolReadings"> & Pick<Store, "lastRequests">;
	keys(): Promise<readonly StoredKey[]>;
	/** The limits, and how much is used of each. */
	standings(): Promise<readonly Standing[]>;
	quota: Pick<QuotaWatch, "read" | "last">;
	/** The account of this installation. Fails without a login. */
	ownAccount(): Soon<CursorAccount>;
	/** What Cursor sent that this version does not know. */
	news(): Promise<CensusRow[]>;
	/** What the doctor has to know of this gateway. */
	inside: InsideFacts;
	/** The folder with recordings; empty if nothing is recorded. */
	recordings: string;
	/** Milliseconds since 1970. */
	now(): number;
}

/** How long an answer that needs many rows is given again. */
export const HEAVY_FRESH = { atLeastMs: 1_000, atMostMs: 30_000 } as const;
/** The same for the names of callers and models: whoever scrolls asks for many pages of rows. */
export const NAMES_FRESH_MS = 3_000;
