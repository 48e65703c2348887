import { idOfKey, type KeyRing } from "../access/key-ring.ts";
import { makeKey, type Random } from "../access/keys.ts";
import { limitsInForce, type SpendLimit } from "../store/spend/spend-limit.ts";
import type { SpendStore } from "../store/spend/spend-store.ts";
import type { KeyLimits, StoredKey } from "../store/store.ts";
import type { LimitTerms } from "./limit-text.ts";

export interface LimitBookOptions {
	store: Pick<SpendStore, "listLimits" | "putLimit">;
	/** Milliseconds since 1970. */
	now(): number;
	random: Random;
}

/** A limit in another form; undefined fields stay as they are. */
export type LimitChange = Partial<Pick<SpendLimit, "amount" | "mode">> & { isPaused?: boolean };

const ID_BYTES = 4;

/** The owner's limits, and those that come and go with a key. */
export class LimitBook {
	readonly #options: LimitBookOptions;

	constructor(options: LimitBookOptions) {
		this.#options = options;
	}

	/** Those in force, paused ones included, oldest first. */
	async list(): Promise<SpendLimit[]> {
		return limitsInForce(await this.#options.store.listLimits());
	}

	/** `key`: the id of the only key that it is about. */
	async add(terms: LimitTerms, key?: string): Promise<SpendLimit> {
		const { store, now, random } = this.#options;
		const id = Buffer.from(random(ID_BYTES)).toString("hex");
		const scope = { ...(key !== undefined && { key }), ...terms.scope };
		const limit: SpendLimit = { ...terms, scope, id, createdAt: now(), changedAt: now() };
		await store.putLimit(limit);
		return limit;
	}

	/** Undefined: there is no such limit. */
	async change(id: string, { isPaused, ...change }: LimitChange): Promise<SpendLimit | undefined> {
		return this.#replace(id, ({ isPaused: was, ...limit }) => ({
			...limit,
			...change,
			...((isPaused ?? was) && { isPaused: true as const }),
		}));
	}

	/** Undefined: there is no such limit. */
	async remove(id: string): Promise<SpendLimit | undefined> {
		return this.#replace(id, (limit) => ({ ...limit, removedAt: this.#options.now() }));
	}

	/** Removes the limits that are about one key alone. */
	async removeOfKey(key: string): Promise<void> {
		for (const { id, scope } of await this.list()) if (scope.key === key) await this.remove(id);
	}

	async #replace(id: string, replaced: (limit: SpendLimit) => SpendLimit): Promise<SpendLimit | undefined> {
		const { store, now } = this.#options;
		const limit = (await this.list()).find((known) => known.id === id);
		if (!limit) return undefined;
		// Later than the former change in any case, also where the clock was set back or stands still.
		const changed = { ...replaced(limit), changedAt: Math.max(now(), limit.changedAt + 1) };
		await store.putLimit(changed);
		return changed;
	}
}

/** Makes a key with limits of its own. They come first, so that the key never works without them. */
export async function addLimitedKey(
	ring: Pick<KeyRing, "add">,
	book: LimitBook,
	{ name, terms, random, limits }: { name: string; terms: readonly LimitTerms[]; random: Random; limits?: KeyLimits },
): Promise<{ key: string; record: StoredKey }> {
	const key = makeKey(random);
	for (const each of terms) await book.add(each, idOfKey(key));
	return ring.add(name, { key, limits: { ...limits, ...(terms.length > 0 && { hasSpendLimits: true }) } });
}

/** Revokes a key, and removes the limits that came with it. False: there is no such key, or it was revoked before. */
export async function revokeLimitedKey(ring: Pick<KeyRing, "revoke">, book: LimitBook, id: string): Promise<boolean> {
	const isRevoked = await ring.revoke(id);
	await book.removeOfKey(id);
	return isRevoked;
}
