import { join } from "node:path";
import { type Clock, systemClock } from "../wire/clock.ts";
import { DegradingStore } from "./degrading-store.ts";
import { DISK_LIMITS, MEMORY_LIMITS, type StoreLimits } from "./limits.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import type { GatewayStore } from "./store.ts";

export interface OpenStoreOptions {
	/** The folder of the file; it is made if need be. */
	dataDir: string;
	/** Hears at most once a minute that memory has to stand in. */
	warn: (message: string) => void;
	clock?: Clock;
	/** Milliseconds since 1970. */
	now?: () => number;
	limits?: StoreLimits;
	memoryLimits?: StoreLimits;
}

export const STORE_FILE = "cursorwire.db";

/** The gateway's store: a file in the data folder, or memory for as long as that cannot be used. */
export function openStore(options: OpenStoreOptions): Promise<GatewayStore> {
	const { clock = systemClock, now = Date.now, limits = DISK_LIMITS, memoryLimits = MEMORY_LIMITS, warn } = options;
	const file = join(options.dataDir, STORE_FILE);
	return DegradingStore.open({
		open: () => new SqliteStore({ file, now, warn, limits }),
		memory: new MemoryStore({ now, limits: memoryLimits }),
		clock,
		warn,
	});
}
