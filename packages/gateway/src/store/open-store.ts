import { join } from "node:path";
import { type Clock, systemClock } from "../wire/clock.ts";
import { readTrust } from "../wire/trust.ts";
import { DegradingStore } from "./degrading-store.ts";
import { MEMORY_LIMITS, type StoreLimits } from "./limits.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import type { GatewayStore, Store } from "./store.ts";

export interface OpenStoreOptions {
	/** The folder of the file; it is made if need be. */
	dataDir: string;
	/** URL of a Redis to use in place of the file. */
	redis?: string;
	/** PEM file with further certificate authorities for it. */
	caFile?: string;
	/** Hears at most once a minute that memory has to stand in. */
	warn: (message: string) => void;
	clock?: Clock;
	/** Milliseconds since 1970. */
	now?: () => number;
	limits?: StoreLimits;
	memoryLimits?: StoreLimits;
}

export const STORE_FILE = "cursorwire.db";

/** The gateway's store: a Redis or a file in the data folder, or memory for as long as that cannot be used. */
export function openStore(options: OpenStoreOptions): Promise<GatewayStore> {
	const { clock = systemClock, now = Date.now, memoryLimits = MEMORY_LIMITS, warn } = options;
	return DegradingStore.open({
		open: () => (options.redis ? openRedis(options.redis, { ...options, now }) : openFile({ ...options, now })),
		memory: new MemoryStore({ now, limits: memoryLimits }),
		clock,
		warn,
	});
}

type OpenOptions = OpenStoreOptions & { now: () => number };

function openFile({ dataDir, now, warn, limits }: OpenOptions): Store {
	return new SqliteStore({ file: join(dataDir, STORE_FILE), now, warn, ...(limits && { limits }) });
}

/** Its driver is loaded by those alone who use it. */
async function openRedis(url: string, { caFile, now, limits }: OpenOptions): Promise<Store> {
	const { RedisStore } = await import("./redis/redis-store.ts");
	const ca = caFile ? await readTrust(caFile) : undefined;
	return RedisStore.open({ url, now, ...(ca && { ca }), ...(limits && { limits }) });
}
