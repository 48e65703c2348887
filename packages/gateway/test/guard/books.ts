// The owner's limits, as a process of their own changes them.
import { randomBytes } from "node:crypto";
import { KeyRing } from "../../src/access/key-ring.ts";
import { addLimitedKey, LimitBook } from "../../src/guard/limit-book.ts";
import { parseLimit } from "../../src/guard/limit-text.ts";
import { openStore } from "../../src/store/open-store.ts";

export interface StorePlace {
	dataDir: string;
	redis?: string;
}

/** Changes limits in the store of a gateway, which may run or not. */
export async function withBook<T>(
	{ dataDir, redis = "" }: StorePlace,
	work: (book: LimitBook) => Promise<T>,
): Promise<T> {
	const store = await openStore({ dataDir, redis, warn: () => {} });
	try {
		return await work(new LimitBook({ store, now: Date.now, random: randomBytes }));
	} finally {
		await store.close();
	}
}

export const addLimit = (place: StorePlace, text: string, key?: string) =>
	withBook(place, (book) => book.add(parseLimit(text), key));

/** A key with limits of its own. */
export async function limitedKey(
	{ dataDir, redis = "" }: StorePlace,
	...limits: string[]
): Promise<{ key: string; id: string }> {
	const store = await openStore({ dataDir, redis, warn: () => {} });
	try {
		const options = { store, now: Date.now, random: randomBytes };
		const terms = limits.map(parseLimit);
		const made = await addLimitedKey(new KeyRing(options), new LimitBook(options), {
			name: "task",
			terms,
			random: randomBytes,
		});
		return { key: made.key, id: made.record.id };
	} finally {
		await store.close();
	}
}
