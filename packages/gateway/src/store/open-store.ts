import { createHash } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, systemClock } from "../time/clock.ts";
import { readTrust } from "../wire/connect/trust.ts";
import { lastAside } from "./aside.ts";
import { DegradingStore } from "./degrading-store.ts";
import { KeyJournal } from "./keys/key-journal.ts";
import { DISK_LIMITS, type KeptTimes, MEMORY_LIMITS, REDIS_LIMITS, type StoreLimits } from "./limits.ts";
import { Losses } from "./losses.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { CounterCopy } from "./spend/counter-copy.ts";
import { SpendJournal } from "./spend/spend-journal.ts";
import { holdsSomething } from "./sqlite/files.ts";
import { SqliteStore } from "./sqlite/sqlite-store.ts";
import type { GatewayStore, Store } from "./store.ts";

export interface OpenStoreOptions {
	/** The folder of the file; it is created if necessary. */
	dataDir: string;
	/** URL of a Redis to use instead of the file. */
	redis?: string;
	/** PEM file with further certificate authorities for it. */
	caFile?: string;
	/** Called at most once a minute while memory replaces the store. */
	warn: (message: string) => void;
	clock?: Clock;
	/** Milliseconds since 1970. */
	now?: () => number;
	/** Default: as each store does it. */
	kept?: KeptTimes;
	limits?: StoreLimits;
	memoryLimits?: StoreLimits;
}

export const STORE_FILE = "cursorwire.db";

/** The gateway's store: a Redis or a file in the data folder, or memory as long as that cannot be used. */
export function openStore(options: OpenStoreOptions): Promise<GatewayStore> {
	const { clock = systemClock, now = Date.now, memoryLimits = MEMORY_LIMITS, warn, dataDir, redis } = options;
	const journal = new KeyJournal({ file: join(dataDir, keyJournalName(redis)), warn });
	const spendJournal = new SpendJournal({ file: join(dataDir, spendJournalName(redis)), warn });
	const spendCopy = new CounterCopy({ file: join(dataDir, spendCopyName(redis)), now, warn });
	const losses = new Losses(now);
	const opening = { ...options, now, journal, losses };
	let reopened = false;
	return DegradingStore.open({
		open() {
			if (redis) return openRedis(redis, opening);
			const store = openFile(opening, reopened);
			reopened = true;
			return store;
		},
		memory: new MemoryStore({ now, limits: { ...memoryLimits, ...options.kept } }),
		clock,
		warn,
		journal,
		spendJournal,
		spendCopy,
		losses,
		now,
	});
}

/**
 * The second copy of the keys belongs to one store. Switching to a Redis that others share must not make the keys of a
 * file valid there, nor those of another Redis. The password may change, so it is not part of the file's name.
 */
export const keyJournalName = (redis?: string): string => `gateway-keys${placeOf(redis)}.jsonl`;

/** The second copy of the limits belongs to one store as well. */
const spendJournalName = (redis?: string): string => `spend-limits${placeOf(redis)}.jsonl`;

/** So does the second copy of what they have counted. */
const spendCopyName = (redis?: string): string => `spend-counters${placeOf(redis)}.jsonl`;

function placeOf(redis?: string): string {
	if (!redis) return "";
	const place = URL.canParse(redis) ? new URL(redis) : { host: redis, pathname: "" };
	const hash = createHash("sha256").update(`${place.host}${place.pathname}`).digest("hex");
	return `-${hash.slice(0, 12)}`;
}

type OpenOptions = OpenStoreOptions & { now: () => number; journal: KeyJournal; losses: Losses };

function openFile(
	{ dataDir, now, warn, kept, limits = DISK_LIMITS, journal, losses }: OpenOptions,
	reopened: boolean,
): Store {
	const file = join(dataDir, STORE_FILE);
	const isGone = !holdsSomething(file);
	// The keys show that there was a database before.
	const isExpected = reopened || journal.read().length > 0;
	const lost = (reason: string) => {
		losses.add("conversations-lost", reason);
		// It is not known which keys there were.
		const hasCopy = reopened || (journal.read().length > 0 && !journal.hasLost);
		if (!hasCopy) losses.add("keys-lost", `${reason} There is no whole second copy of its keys.`);
	};
	const store = new SqliteStore({ file, now, warn, lost, limits: { ...limits, ...kept } });
	if (isGone && isExpected) {
		const reason = `${file} was not there, or empty. A new one is made.`;
		warn(reason);
		lost(reason);
	}
	// Another process may have found the damage first, such as `cursorwire keys`.
	const aside = lastAside(file);
	if (aside) losses.add("conversations-lost", `${file} was damaged. It is kept as ${aside.path}.`, aside.at);
	return store;
}

/** The driver is loaded only if a Redis is used. */
async function openRedis(
	url: string,
	{ caFile, dataDir, now, kept, limits = REDIS_LIMITS, warn }: OpenOptions,
): Promise<Store> {
	await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => {
		// The folder is only for the second copy of the keys, which reports itself if it cannot be used.
	});
	const { RedisStore } = await import("./redis/redis-store.ts");
	const ca = caFile ? await readTrust(caFile) : undefined;
	return RedisStore.open({ url, now, warn, ...(ca && { ca }), limits: { ...limits, ...kept } });
}
