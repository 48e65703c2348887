import type { Problem } from "../observe/problem.ts";
import type { LedgerQueries, LedgerReads, StoredRow } from "./ledger-reads.ts";
import type { LedgerRow } from "./ledger-row.ts";
import type { PoolReadings } from "./pool-readings.ts";
import type { SpendStore } from "./spend/spend-store.ts";

// What the gateway keeps between requests and across restarts. Everything here can be lost without a wrong reply: a
// conversation is then rebuilt from the client's own history. Keys are the exception, and have a second copy.
//
// Rules for every implementation: data belongs to one caller and is found only by that caller; a store copies what it
// is given, and what it returns must not be changed; a failure with an outside cause (disk, network, another process)
// is a `StoreUnavailableError`, and any other error is a bug.

/** A state from which a conversation can continue. */
export interface StoredCheckpoint {
	caller: string;
	/** Hash of the normalised transcript, the model family and the tool set. */
	key: string;
	conversationId: string;
	/** The serialised conversation state; opaque here. */
	state: Uint8Array;
	/** Every blob that is reachable from the state. An id names its content, so a known id is not written again. */
	blobIds: readonly Uint8Array[];
}

/** A checkpoint with all of its blobs, by hexadecimal id. */
export interface FoundCheckpoint {
	conversationId: string;
	state: Uint8Array;
	blobs: Map<string, Uint8Array>;
}

/** A stored gateway key, without the key itself. */
export interface StoredKey {
	id: string;
	name: string;
	/** SHA-256 of the key, hexadecimal. */
	hash: string;
	createdAt: number;
	lastUsedAt?: number;
	revokedAt?: number;
	limits?: KeyLimits;
	/** `metrics`: it can read metrics and nothing else. Undefined: it is a client's. */
	kind?: "metrics";
	/** From then on it is not valid, unless it is renewed. Undefined: it stays valid until it is revoked. */
	expiresAt?: number;
}

export interface KeyLimits {
	/** How many turns this key may have at the same time, if not the default. */
	concurrentTurns?: number;
	/** There are limits on what may be spent with it, so it must not be used before they are known. */
	hasSpendLimits?: true;
}

/** What one caller used of one model on one day. */
export interface LedgerTotals {
	/** Day in UTC, as 2026-11-15. */
	day: string;
	caller: string;
	model: string;
	requests: number;
	/** How many of the requests ended with an error. */
	failures: number;
	inputTokens: number;
	outputTokens: number;
	cachedTokens: number;
	reasoningTokens: number;
}

/** What SQLite, memory and (for several gateways) Redis have in common. */
export interface Store extends LedgerQueries, PoolReadings, SpendStore {
	readonly kind: "memory" | "sqlite" | "redis";

	/**
	 * Keeps the checkpoint and its blobs, both or neither. `blobs` (hexadecimal id to content) may leave out what the
	 * store already has. False: it was not kept, because a blob is neither given nor stored, or because it is too large.
	 */
	putCheckpoint(record: StoredCheckpoint, blobs: ReadonlyMap<string, Uint8Array>): Promise<boolean>;
	/** Finding a checkpoint makes it the most recently used one. */
	findCheckpoint(caller: string, key: string): Promise<FoundCheckpoint | undefined>;

	/**
	 * Keeps a response that the client can name later (`previous_response_id`), unless it is larger than the whole
	 * budget of a caller.
	 */
	putResponse(caller: string, id: string, payload: Uint8Array, ttlMs: number): Promise<void>;
	getResponse(caller: string, id: string): Promise<Uint8Array | undefined>;
	/** False: there was none. */
	deleteResponse(caller: string, id: string): Promise<boolean>;

	/** All keys, revoked ones included, oldest first. */
	listKeys(): Promise<StoredKey[]>;
	/** A key whose id or hash is already there stays unchanged, so that a revoked key does not become valid again. */
	addKey(record: StoredKey): Promise<void>;
	/** False: there is no such key, or it was revoked before. */
	revokeKey(id: string, at: number): Promise<boolean>;
	touchKey(id: string, at: number): Promise<void>;
	/** Lets a key that expires be valid for longer. False: there is no such key, or it was revoked. */
	renewKey(id: string, expiresAt: number): Promise<boolean>;

	/** Of a store that several gateways share: the secret that they have in common, which is `fresh` if there was none. */
	sharedSecret?(fresh: Uint8Array): Promise<Uint8Array | undefined>;

	appendLedger(rows: readonly LedgerRow[]): Promise<void>;
	/** Totals per day, caller and model of the requests from `since` on. */
	usageSince(since: number): Promise<LedgerTotals[]>;
	/** The newest rows, newest first. */
	lastRequests(count: number): Promise<StoredRow[]>;

	/** Removes what has expired, in small steps. */
	cleanUp(): Promise<void>;
	close(): Promise<void>;
}

export interface StoreStatus {
	mode: Store["kind"];
	/** Why memory replaces the file. */
	degraded?: string;
	/** What else is wrong, or was lost recently. */
	problems?: readonly Problem[];
}

/** Everything that is wrong with the store. */
export function storeProblems({ degraded, problems = [] }: StoreStatus): Problem[] {
	return [...(degraded === undefined ? [] : [{ name: "store" as const, reason: degraded }]), ...problems];
}

/** The store as the rest of the gateway sees it: it does not fail when the disk does. */
export interface GatewayStore extends Store, LedgerReads {
	/** Adds a row and returns at once. Where many are added, they are written together a moment later. */
	addToLedger(row: LedgerRow): void;
	/** A row that is added now is not written at once. */
	readonly isLedgerBusy: boolean;
	/** Undefined: the store is not shared, or cannot be used at the moment. */
	sharedSecret(fresh: Uint8Array): Promise<Uint8Array | undefined>;
	status(): StoreStatus;
}
