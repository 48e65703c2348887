import { setTimeout as sleep } from "node:timers/promises";
import { EXPIRED_KEYS_KEPT_MS } from "../keys/expired-keys.ts";
import type { FoundRows, GroupedBy, LedgerGroup, LedgerNames, RowFilter, StoredRow } from "../ledger-reads.ts";
import type { LedgerRow } from "../ledger-row.ts";
import { REDIS_LIMITS, type StoreLimits } from "../limits.ts";
import type { PoolReading } from "../pool-readings.ts";
import type { SpendLimit } from "../spend/spend-limit.ts";
import type { SpendChange, SpendTake, SpendTaken } from "../spend/spend-store.ts";
import type { FoundCheckpoint, LedgerTotals, Store, StoredCheckpoint, StoredKey } from "../store.ts";
import { RedisCheckpoints } from "./checkpoints.ts";
import { evictionWarning } from "./eviction.ts";
import { RedisKeys } from "./keys.ts";
import { RedisLedger } from "./ledger.ts";
import { RedisLink, type RedisLinkOptions } from "./link.ts";
import { RedisPayloads } from "./payloads.ts";
import { RedisPoolReadings } from "./pool-readings.ts";
import { ensureSharedSecret } from "./shared-secret.ts";
import { RedisSpend } from "./spend.ts";

export interface RedisStoreOptions extends RedisLinkOptions {
	/** Milliseconds since 1970. */
	now: () => number;
	limits?: StoreLimits;
	warn: (message: string) => void;
}

const ON_ITS_WAY_MS = 100;
/** How many records are removed at once. Redis serves nothing else meanwhile: about a millisecond. */
const CLEAN_UP_STEP = 50;

/** One Redis that several gateways share. It runs their scripts one after the other. */
export class RedisStore implements Store {
	readonly kind = "redis";
	readonly #link: RedisLink;
	readonly #limits: StoreLimits;
	readonly #now: () => number;
	readonly #checkpoints: RedisCheckpoints;
	readonly #responses: RedisPayloads;
	readonly #keys: RedisKeys;
	readonly #ledger: RedisLedger;
	readonly #readings: RedisPoolReadings;
	readonly #spend: RedisSpend;

	private constructor(link: RedisLink, limits: StoreLimits, now: () => number) {
		this.#link = link;
		this.#limits = limits;
		this.#now = now;
		this.#checkpoints = new RedisCheckpoints(link, limits, now);
		this.#responses = new RedisPayloads(link, "responses", limits.responses, now);
		this.#keys = new RedisKeys(link);
		this.#ledger = new RedisLedger(link, limits.ledgerTtlMs);
		this.#readings = new RedisPoolReadings(link);
		this.#spend = new RedisSpend(link, now);
	}

	/** Throws a `StoreUnavailableError` or a `StoreVersionError` if the Redis cannot be used. */
	static async open({ now, limits = REDIS_LIMITS, warn, ...options }: RedisStoreOptions): Promise<RedisStore> {
		const link = await RedisLink.open(options);
		const warning = await evictionWarning(link);
		if (warning) warn(warning);
		return new RedisStore(link, limits, now);
	}

	putCheckpoint(record: StoredCheckpoint, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean> {
		return this.#checkpoints.put(record, blobs);
	}

	findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined> {
		return this.#checkpoints.find(caller, key);
	}

	putResponse(caller: string, id: string, payload: Uint8Array, ttlMs: number): Promise<void> {
		return this.#responses.put(caller, id, payload, ttlMs);
	}

	/** The client knows the id, so a missing response may still be on its way from another gateway. */
	async getResponse(caller: string, id: string): Promise<Uint8Array | undefined> {
		const found = await this.#responses.get(caller, id);
		if (found) return found;
		await sleep(ON_ITS_WAY_MS);
		return this.#responses.get(caller, id);
	}

	deleteResponse(caller: string, id: string): Promise<boolean> {
		return this.#responses.delete(caller, id);
	}

	listKeys(): Promise<StoredKey[]> {
		return this.#keys.list();
	}

	addKey(record: StoredKey): Promise<void> {
		return this.#keys.add(record);
	}

	revokeKey(id: string, at: number): Promise<boolean> {
		return this.#keys.revoke(id, at);
	}

	touchKey(id: string, at: number): Promise<void> {
		return this.#keys.touch(id, at);
	}

	async renewKey(id: string, expiresAt: number): Promise<boolean> {
		return this.#keys.renew(id, expiresAt);
	}

	sharedSecret(fresh: Uint8Array): Promise<Uint8Array> {
		return ensureSharedSecret(this.#link, fresh);
	}

	appendLedger(rows: readonly LedgerRow[]): Promise<void> {
		return this.#ledger.append(rows);
	}

	usageSince(since: number): Promise<LedgerTotals[]> {
		return this.#ledger.usageSince(since);
	}

	lastRequests(count: number): Promise<StoredRow[]> {
		return this.#ledger.last(count);
	}

	findRows(filter: RowFilter, limit: number): Promise<FoundRows> {
		return this.#ledger.find(filter, limit);
	}

	findRow(id: number): Promise<StoredRow | undefined> {
		return this.#ledger.row(id);
	}

	conversationRows(conversation: string): Promise<StoredRow[]> {
		return this.#ledger.conversation(conversation);
	}

	ledgerNames(): Promise<LedgerNames> {
		return this.#ledger.names();
	}

	ledgerGroups(_by: GroupedBy, since: number): Promise<LedgerGroup[]> {
		return this.#ledger.groups(since);
	}

	addPoolReading(reading: PoolReading): Promise<void> {
		return this.#readings.add(reading);
	}

	poolReadings(since: number): Promise<PoolReading[]> {
		return this.#readings.since(since);
	}

	listLimits(): Promise<SpendLimit[]> {
		return this.#spend.list();
	}

	putLimit(limit: SpendLimit): Promise<void> {
		return this.#spend.put(limit);
	}

	takeSpend(takes: readonly SpendTake[]): Promise<SpendTaken> {
		return this.#spend.take(takes);
	}

	changeSpend(changes: readonly SpendChange[]): Promise<number[]> {
		return this.#spend.change(changes);
	}

	readSpend(counters: readonly string[]): Promise<number[]> {
		return this.#spend.read(counters);
	}

	async cleanUp(): Promise<void> {
		const { ledgerTtlMs, ledgerRows } = this.#limits;
		await inSteps(() => this.#checkpoints.removeExpired(CLEAN_UP_STEP));
		await inSteps(() => this.#responses.removeExpired(CLEAN_UP_STEP));
		await inSteps(() => this.#ledger.removeSurplus(this.#now() - ledgerTtlMs, ledgerRows, CLEAN_UP_STEP));
		await this.#keys.forgetExpired(this.#now() - EXPIRED_KEYS_KEPT_MS);
	}

	close(): Promise<void> {
		return this.#link.close();
	}
}

/** Repeats a step while it finds something to do; others are served in between. */
async function inSteps(step: () => Promise<number>): Promise<void> {
	while ((await step()) > 0);
}
