// Every store, each as an empty one for a test.
import { join } from "node:path";
import { afterAll } from "vitest";
import type { StoreLimits } from "../../src/store/limits.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { RedisStore } from "../../src/store/redis/redis-store.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { startRedis, type TestRedis } from "./redis-server.ts";
import { temporaryFolder } from "./stores.ts";

let redis: TestRedis | undefined;

/** Test files share what they import, so each file that uses `IMPLEMENTATIONS` calls this itself. */
export function stopRedisAfterTests(): void {
	afterAll(async () => {
		await redis?.stop();
		redis = undefined;
	});
}

/** One server serves all tests of a file, one after the other. */
async function emptyRedis(): Promise<string> {
	redis ??= await startRedis();
	await redis.cli("flushall");
	return redis.url;
}

export const IMPLEMENTATIONS = {
	memory: (now: () => number, limits: StoreLimits): Store | Promise<Store> => new MemoryStore({ now, limits }),
	redis: async (now: () => number, limits: StoreLimits): Promise<Store> =>
		RedisStore.open({ url: await emptyRedis(), now, limits, warn: fail }),
	sqlite: (now: () => number, limits: StoreLimits): Store =>
		new SqliteStore({ file: join(temporaryFolder(), "cursorwire.db"), now, limits, warn: fail }),
};

function fail(message: string): void {
	throw new Error(`unexpected warning: ${message}`);
}
