/** Bytes that may be kept, in all and per caller. */
export interface ByteBudget {
	perCaller: number;
	total: number;
}

/** The limits of a store. The oldest, or least recently used, entries make room for new ones. */
export interface StoreLimits {
	/** Time since its last use after which a checkpoint is forgotten. */
	checkpointTtlMs: number;
	checkpoints: ByteBudget;
	responses: ByteBudget;
	ledgerTtlMs: number;
	ledgerRows: number;
}

/** How long things are kept, which is the same in every store. */
export type KeptTimes = Pick<StoreLimits, "checkpointTtlMs" | "ledgerTtlMs">;

const MiB = 1024 * 1024;
const DAY = 24 * 60 * 60 * 1000;

export const DISK_LIMITS: StoreLimits = {
	checkpointTtlMs: 7 * DAY,
	checkpoints: { perCaller: 256 * MiB, total: 1024 * MiB },
	responses: { perCaller: 64 * MiB, total: 256 * MiB },
	ledgerTtlMs: 365 * DAY,
	ledgerRows: 1_000_000,
};

/** For a Redis that several gateways share. It keeps all of this in memory. */
export const REDIS_LIMITS: StoreLimits = {
	checkpointTtlMs: 7 * DAY,
	checkpoints: { perCaller: 128 * MiB, total: 512 * MiB },
	responses: { perCaller: 32 * MiB, total: 128 * MiB },
	ledgerTtlMs: 365 * DAY,
	ledgerRows: 100_000,
};

/** Memory only bridges the time until the disk works again, and the gateway should stay small. */
export const MEMORY_LIMITS: StoreLimits = {
	checkpointTtlMs: 7 * DAY,
	checkpoints: { perCaller: 32 * MiB, total: 64 * MiB },
	responses: { perCaller: 8 * MiB, total: 32 * MiB },
	ledgerTtlMs: 365 * DAY,
	ledgerRows: 10_000,
};

// Besides its bytes, every record costs a row, index entries and links. Counting them keeps a flood of empty records
// within the same budget.
const RECORD_COST = 256;
const LINK_COST = 32;

export const sizeOfBytes = (bytes: Uint8Array): number => bytes.byteLength + RECORD_COST;
export const sizeOfState = (state: Uint8Array, links: number): number => sizeOfBytes(state) + links * LINK_COST;
