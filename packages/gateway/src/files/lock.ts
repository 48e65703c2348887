import { type FileHandle, readFile, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "../time/clock.ts";
import { sleep } from "../time/sleep.ts";
import { isAbandoned, type LockOwner, readOwner, thisProcess } from "./lock-owner.ts";
import { createPrivateFile, ensurePrivateFolder } from "./private-file.ts";
import { StorageError, storageFailed } from "./storage-error.ts";

export interface LockOptions {
	path: string;
	clock: Clock;
	/** Wall-clock time in milliseconds, comparable to the time of the lock file. */
	now: () => number;
	/** From 0 to 1. Keeps waiting processes from checking at the same moments. */
	random: () => number;
	/** Default 20 s. */
	waitMs?: number;
}

interface Found {
	text: string;
	owner: LockOwner | undefined;
	ageMs: number;
}

const WAIT_MS = 20_000;
const CHECK_INTERVAL_MS = 20;
/** A breaker older than this was left behind by a process that died. */
const BREAKER_MAX_AGE_MS = 5_000;

/** A lock between processes: the holder is the one that created the file. The lock of a dead process is removed. */
export class FileLock {
	readonly #options: LockOptions;
	#count = 0;

	constructor(options: LockOptions) {
		this.#options = options;
	}

	/** Runs `work` while holding the lock. Rejects with a `StorageError` if the lock cannot be acquired. */
	async hold<T>(work: () => Promise<T>): Promise<T> {
		const nonce = await this.#acquire();
		try {
			return await work();
		} finally {
			await this.#release(nonce);
		}
	}

	async #acquire(): Promise<string> {
		const { path, clock, random, waitMs = WAIT_MS } = this.#options;
		await ensurePrivateFolder(dirname(path));
		const nonce = `${process.pid}-${clock.now()}-${random()}-${++this.#count}`;
		const giveUpAt = clock.now() + waitMs;
		while (!(await this.#make(path, nonce))) {
			const found = await this.#look();
			if (found !== undefined && isAbandoned(found.owner, found.ageMs)) await this.#breakLock(found);
			else if (clock.now() >= giveUpAt) throw busy(path, found?.owner);
			else await sleep(CHECK_INTERVAL_MS * (1 + random()), clock);
		}
		return nonce;
	}

	/** Returns false if the file exists already. */
	async #make(path: string, nonce: string): Promise<boolean> {
		let file: FileHandle;
		try {
			file = await createPrivateFile(path);
		} catch (cause) {
			if ((cause as NodeJS.ErrnoException).code === "EEXIST") return false;
			throw storageFailed("made", path, cause);
		}
		try {
			await file.writeFile(JSON.stringify(thisProcess(nonce)));
			return true;
		} catch (cause) {
			await rm(path, { force: true }).catch(() => {});
			throw storageFailed("written", path, cause);
		} finally {
			await file.close();
		}
	}

	async #look(): Promise<Found | undefined> {
		const { path, now } = this.#options;
		try {
			const [text, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
			return { text, owner: readOwner(text), ageMs: now() - mtimeMs };
		} catch (cause) {
			if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
			throw storageFailed("read", path, cause);
		}
	}

	/**
	 * Two processes may find the same abandoned lock. Only the one that created the breaker file removes the lock, after
	 * a second check. Otherwise the slower process could remove the lock that the faster one has acquired since.
	 */
	async #breakLock(found: Found): Promise<void> {
		const { path, now, clock } = this.#options;
		const breaker = `${path}.break`;
		if (!(await this.#make(breaker, ""))) {
			const { mtimeMs } = await stat(breaker).catch(() => ({ mtimeMs: now() }));
			// The process that created it died in the few microseconds of its work.
			if (now() - mtimeMs > BREAKER_MAX_AGE_MS) await rm(breaker, { force: true });
			return sleep(CHECK_INTERVAL_MS, clock);
		}
		try {
			const again = await this.#look();
			if (again?.text === found.text && isAbandoned(again.owner, again.ageMs)) await rm(path, { force: true });
		} finally {
			await rm(breaker, { force: true });
		}
	}

	/** Leaves the file alone if another process has taken over the lock, as may happen while the machine sleeps. */
	async #release(nonce: string): Promise<void> {
		const found = await this.#look().catch(() => undefined);
		if (found?.owner?.nonce === nonce) await rm(this.#options.path, { force: true }).catch(() => {});
	}
}

function busy(path: string, owner: LockOwner | undefined): StorageError {
	const holder = owner === undefined ? "another process" : `process ${owner.pid} on ${owner.host}`;
	return new StorageError("overloaded", `The credentials are locked by ${holder}.`, {
		nextStep: `Try again; if that process no longer exists, remove ${path}.`,
	});
}
