import type { KeyLimits, Store, StoredKey } from "../store/store.ts";
import { type Soon, soon } from "../time/soon.ts";
import { hashKey, isGatewayKey, makeKey, type Random } from "./keys.ts";

export interface KeyRingOptions {
	store: Pick<Store, "listKeys" | "addKey" | "revokeKey" | "touchKey" | "renewKey">;
	/** Milliseconds since 1970. */
	now: () => number;
	random: Random;
	/** Default: real time. */
	wait?: (ms: number) => Promise<void>;
	/** A key from the settings. It is not stored, so removing it from the settings is enough to invalidate it. */
	configuredKey?: string;
}

/** What a new key is given besides its name. */
interface NewKey {
	key?: string;
	limits?: KeyLimits;
	kind?: StoredKey["kind"];
	expiresAt?: number;
}

/** How long a key that another process has revoked can still be used. */
const FRESH_MS = 1000;
/** An unknown key may have been added by another process, so the list is read again, but no more often than this. */
const LOOK_AGAIN_MS = 100;
const realTime = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const TOUCH_EVERY_MS = 60_000;

/** The gateway's keys, stored as hashes and found by the key that a client presents. */
export class KeyRing {
	readonly #options: KeyRingOptions;
	readonly #configured: StoredKey | undefined;
	readonly #touchedAt = new Map<string, number>();
	/** Ids of the revoked keys that `newlyRevoked` has returned. */
	readonly #reported = new Set<string>();
	#known: { at: number; index: Soon<KeyIndex> } | undefined;
	/** The reading that those wait for whose key was unknown in one of a moment ago. */
	#next: Promise<KeyIndex> | undefined;

	constructor(options: KeyRingOptions) {
		this.#options = options;
		if (options.configuredKey) this.#configured = configuredRecord(hashKey(options.configuredKey));
	}

	/** All stored keys, revoked ones included. */
	list(): Promise<StoredKey[]> {
		return this.#options.store.listKeys();
	}

	/** Adds a key and returns it; afterwards only its hash is known. A key that already exists is not changed. */
	async add(
		name: string,
		{ key = makeKey(this.#options.random), limits, kind, expiresAt }: NewKey = {},
	): Promise<{ key: string; record: StoredKey }> {
		const { store, now } = this.#options;
		const hash = hashKey(key);
		await store.addKey({
			id: keyId(hash),
			name,
			hash,
			createdAt: now(),
			...(limits && { limits }),
			...(kind && { kind }),
			...(expiresAt !== undefined && { expiresAt }),
		});
		this.#known = undefined;
		return { key, record: (await this.lookUp(key))! };
	}

	/** Returns false if there is no such key or it was already revoked. */
	async revoke(id: string): Promise<boolean> {
		const revoked = await this.#options.store.revokeKey(id, this.#options.now());
		this.#known = undefined;
		return revoked;
	}

	/** Lets a key that expires be valid for longer. Returns false if there is no such key or it was revoked. */
	async renew(id: string, expiresAt: number): Promise<boolean> {
		const renewed = await this.#options.store.renewKey(id, expiresAt);
		this.#known = undefined;
		return renewed;
	}

	/** Keys that were revoked, here or by another process, or have expired since the last call of this method. */
	async newlyRevoked(): Promise<StoredKey[]> {
		const now = this.#options.now();
		const revoked = [...(await this.#index()).values()].filter(
			(record) => isOver(record, now) && record.hash !== this.#configured?.hash && !this.#reported.has(record.id),
		);
		for (const { id } of revoked) this.#reported.add(id);
		return revoked;
	}

	/** The stored key that matches the presented one, if it is valid. */
	find(presented: string): Soon<StoredKey | undefined> {
		return soon(this.lookUp(presented), this.#ifValid);
	}

	readonly #ifValid = (record: StoredKey | undefined): StoredKey | undefined => {
		const now = this.#options.now();
		if (!record || isOver(record, now)) return undefined;
		if (record !== this.#configured) this.#touch(record.id, now);
		return record;
	};

	/** Like `find`, but also finds revoked keys. */
	lookUp(presented: string): Soon<StoredKey | undefined> {
		const before = this.#known;
		const reading = this.#index();
		const isReadNow = this.#known !== before;
		return soon(reading, this.#lookUpIn, presented, isReadNow);
	}

	readonly #lookUpIn = (index: KeyIndex, presented: string, isReadNow: boolean): Soon<StoredKey | undefined> => {
		const hash = hashKey(presented);
		const record = this.#match(hash, index);
		return record || isReadNow ? record : this.#lookUpNewer(hash, presented);
	};

	#lookUpNewer(hash: string, presented: string): Soon<StoredKey | undefined> {
		return soon(this.#newer(presented), (index) => this.#match(hash, index));
	}

	/** What has the form of a key may have been added since the last reading. Anything else need not wait for the next. */
	#newer(presented: string): Soon<KeyIndex> {
		const ageMs = Math.abs(this.#options.now() - (this.#known?.at ?? 0));
		if (ageMs > LOOK_AGAIN_MS || !isGatewayKey(presented)) return this.#index(LOOK_AGAIN_MS);
		this.#next ??= (this.#options.wait ?? realTime)(LOOK_AGAIN_MS - ageMs).then(() => {
			this.#next = undefined;
			this.#known = undefined;
			return this.#index();
		});
		return this.#next;
	}

	/**
	 * Looked up by the hash, not compared in constant time: whoever measures how long it takes can at most learn something
	 * about the hash of a key, and nobody can find the key from that.
	 */
	#match(hash: string, index: KeyIndex): StoredKey | undefined {
		const stored = index.get(hash);
		const configured = this.#configured?.hash === hash ? this.#configured : undefined;
		if (!stored || !configured) return stored ?? configured;
		// A key that is both stored and configured is one caller. The settings win, so it is valid even if it was revoked.
		const { revokedAt: _, expiresAt: __, ...valid } = stored;
		return valid;
	}

	#index(freshMs = FRESH_MS): Soon<KeyIndex> {
		const now = this.#options.now();
		if (this.#known && Math.abs(now - this.#known.at) <= freshMs) return this.#known.index;
		const index = this.#options.store.listKeys().then(indexOf);
		const known: { at: number; index: Soon<KeyIndex> } = { at: now, index };
		this.#known = known;
		index.then(
			(read) => {
				known.index = read;
			},
			() => {
				if (this.#known === known) this.#known = undefined;
			},
		);
		return index;
	}

	#touch(id: string, now: number): void {
		const last = this.#touchedAt.get(id);
		if (last === undefined || Math.abs(now - last) >= TOUCH_EVERY_MS) this.#storeUse(id, now);
	}

	#storeUse(id: string, now: number): void {
		this.#touchedAt.set(id, now);
		// Failing to store the time of last use is no reason to refuse the key.
		this.#options.store.touchKey(id, now).catch(() => this.#touchedAt.delete(id));
	}
}

/** Whether a key was revoked or has expired. */
export const isOver = ({ revokedAt, expiresAt }: StoredKey, now: number): boolean =>
	revokedAt !== undefined || (expiresAt !== undefined && expiresAt <= now);

/** Keys by their hash. Of two records with the same hash the newer one counts. */
type KeyIndex = ReadonlyMap<string, StoredKey>;

const indexOf = (records: readonly StoredKey[]): KeyIndex => new Map(records.map((record) => [record.hash, record]));

function configuredRecord(hash: string): StoredKey {
	return { id: keyId(hash), name: "configured", hash, createdAt: 0 };
}

/** The id that a key has in every ring. */
export const idOfKey = (key: string): string => keyId(hashKey(key));

/** Derived from the key itself, so that it is the same on every gateway and after a database was lost. */
function keyId(hash: string): string {
	return hash.slice(0, 16);
}
