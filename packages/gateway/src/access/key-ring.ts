import type { KeyLimits, Store, StoredKey } from "../store/store.ts";
import { hashKey, isSameHash, makeKey, type Random } from "./keys.ts";

export interface KeyRingOptions {
	store: Pick<Store, "listKeys" | "addKey" | "revokeKey" | "touchKey">;
	/** Milliseconds since 1970. */
	now: () => number;
	random: Random;
	/** A key from the settings, valid as long as they say so. It is not stored, so taking it out is enough. */
	configuredKey?: string;
}

/** So long can a key that another process has revoked still be used. */
const FRESH_MS = 1000;
/** A key that is not known may have been added just now by another process. Strangers cannot make us look more often. */
const LOOK_AGAIN_MS = 100;
const TOUCH_EVERY_MS = 60_000;

/** The gateway's keys: kept by their hashes, found by the key that a client shows. */
export class KeyRing {
	readonly #options: KeyRingOptions;
	readonly #configured: StoredKey | undefined;
	readonly #touchedAt = new Map<string, number>();
	/** Revoked keys that were told of. */
	readonly #gone = new Set<string>();
	#known: { at: number; records: Promise<StoredKey[]> } | undefined;

	constructor(options: KeyRingOptions) {
		this.#options = options;
		if (options.configuredKey) this.#configured = configuredRecord(hashKey(options.configuredKey));
	}

	/** All stored keys, revoked ones included. */
	list(): Promise<StoredKey[]> {
		return this.#options.store.listKeys();
	}

	/** Adds a key and tells it; later on only its hash is known. A key that was there before stays what it was. */
	async add(
		name: string,
		{ key = makeKey(this.#options.random), limits }: { key?: string; limits?: KeyLimits } = {},
	): Promise<{ key: string; record: StoredKey }> {
		const { store, now } = this.#options;
		const hash = hashKey(key);
		await store.addKey({ id: keyId(hash), name, hash, createdAt: now(), ...(limits && { limits }) });
		this.#known = undefined;
		return { key, record: (await this.lookUp(key))! };
	}

	/** False: there is no such key, or it was revoked before. */
	async revoke(id: string): Promise<boolean> {
		const revoked = await this.#options.store.revokeKey(id, this.#options.now());
		this.#known = undefined;
		return revoked;
	}

	/** Keys that were revoked since the last call, here or by another process. */
	async newlyRevoked(): Promise<StoredKey[]> {
		const revoked = (await this.#records()).filter(
			({ id, hash, revokedAt }) => revokedAt !== undefined && hash !== this.#configured?.hash && !this.#gone.has(id),
		);
		for (const { id } of revoked) this.#gone.add(id);
		return revoked;
	}

	/** The key that is shown, if it is one of ours and valid. */
	async find(presented: string): Promise<StoredKey | undefined> {
		const record = await this.lookUp(presented);
		if (!record || record.revokedAt !== undefined) return undefined;
		if (record !== this.#configured) this.#touch(record.id);
		return record;
	}

	/** The key that is shown, also where it was revoked. All are compared, whichever matches. */
	async lookUp(presented: string): Promise<StoredKey | undefined> {
		const hash = hashKey(presented);
		return this.#match(hash, await this.#records()) ?? this.#match(hash, await this.#records(LOOK_AGAIN_MS));
	}

	#match(hash: string, records: readonly StoredKey[]): StoredKey | undefined {
		const stored = records.filter((record) => isSameHash(record.hash, hash)).at(-1);
		const configured = this.#configured && isSameHash(this.#configured.hash, hash) ? this.#configured : undefined;
		if (!stored || !configured) return stored ?? configured;
		// One key in both places is one caller. What the settings say is valid, also where it was revoked.
		const { revokedAt: _, ...valid } = stored;
		return valid;
	}

	#records(freshMs = FRESH_MS): Promise<StoredKey[]> {
		const now = this.#options.now();
		if (!this.#known || Math.abs(now - this.#known.at) > freshMs) {
			const records = this.#options.store.listKeys();
			this.#known = { at: now, records };
			records.catch(() => {
				this.#known = undefined;
			});
		}
		return this.#known.records;
	}

	#touch(id: string): void {
		const { store, now } = this.#options;
		const last = this.#touchedAt.get(id);
		if (last !== undefined && Math.abs(now() - last) < TOUCH_EVERY_MS) return;
		this.#touchedAt.set(id, now());
		// That the time of a key's last use could not be written is no reason to refuse the key.
		store.touchKey(id, now()).catch(() => this.#touchedAt.delete(id));
	}
}

function configuredRecord(hash: string): StoredKey {
	return { id: keyId(hash), name: "configured", hash, createdAt: 0 };
}

/** By the key itself, so that it is the same caller's wherever the gateway is told of it, and after a lost database. */
function keyId(hash: string): string {
	return hash.slice(0, 16);
}
