import { callerNames } from "../access/caller-names.ts";
import type { Settings } from "../config/settings.ts";
import { openStore } from "../store/open-store.ts";
import type { LedgerTotals, Store, StoredKey } from "../store/store.ts";
import type { AccountQuota } from "../upstream/account/quota.ts";
import { readingsOf } from "../usage/quota-watch.ts";

/** What one client used of one model since midnight. */
export interface TodayRow {
	/** The name of its key. */
	client: string;
	model: string;
	requests: number;
	failures: number;
	inputTokens: number;
	outputTokens: number;
}

/** Reads today's rows from the ledger of the gateway with these settings. */
export function readToday(settings: Settings, now: number): Promise<TodayRow[]> {
	return withStore(settings, async (store) =>
		todayRows(await store.usageSince(new Date(now).setHours(0, 0, 0, 0)), await store.listKeys()),
	);
}

/** Keeps what Cursor said of the pools, for the forecast on the page. */
export function keepReadings(settings: Settings, quota: AccountQuota, now: number): Promise<void> {
	return withStore(settings, async (store) => {
		for (const reading of readingsOf(quota, now)) await store.addPoolReading(reading);
	});
}

async function withStore<T>({ dataDir, redis, caFile }: Settings, work: (store: Store) => Promise<T>): Promise<T> {
	const store = await openStore({ dataDir, redis, caFile, warn: () => {} });
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

/** Sums per client and model, the busiest first. The ledger's days are in UTC, so today may span two of them. */
export function todayRows(usage: readonly LedgerTotals[], keys: readonly StoredKey[]): TodayRow[] {
	const nameOf = callerNames(keys);
	const sums = new Map<string, TodayRow>();
	for (const { caller, model, requests, failures, inputTokens, outputTokens } of usage) {
		const client = nameOf(caller);
		const place = JSON.stringify([client, model]);
		const sum = sums.get(place) ?? { client, model, requests: 0, failures: 0, inputTokens: 0, outputTokens: 0 };
		sum.requests += requests;
		sum.failures += failures;
		sum.inputTokens += inputTokens;
		sum.outputTokens += outputTokens;
		sums.set(place, sum);
	}
	return [...sums.values()].sort((one, other) => other.requests - one.requests);
}
