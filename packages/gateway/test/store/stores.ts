// Folders, time and stores for the tests of the store.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { MEMORY_LIMITS, type StoreLimits } from "../../src/store/limits.ts";
import { MemoryStore } from "../../src/store/memory/memory-store.ts";
import { RedisStore } from "../../src/store/redis/redis-store.ts";
import { SqliteStore } from "../../src/store/sqlite/sqlite-store.ts";
import type { Store } from "../../src/store/store.ts";
import { startRedis, type TestRedis } from "./redis-server.ts";

export * from "./sample-records.ts";

export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "cursorwire-store-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Time as a number that a test sets. */
export class Time {
	at = Date.UTC(2026, 10, 15, 12);
	now = () => this.at;
	pass(ms: number): void {
		this.at += ms;
	}
}

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
		RedisStore.open({ url: await emptyRedis(), now, limits }),
	sqlite: (now: () => number, limits: StoreLimits): Store =>
		new SqliteStore({ file: join(temporaryFolder(), "cursorwire.db"), now, limits, warn: fail }),
};

function fail(message: string): void {
	throw new Error(`unexpected warning: ${message}`);
}

export const limits = (changes: Partial<StoreLimits> = {}): StoreLimits => ({ ...MEMORY_LIMITS, ...changes });
