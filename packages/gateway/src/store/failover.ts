import type { Clock } from "../time/clock.ts";
import { orElse, type Soon } from "../time/soon.ts";
import { StoreUnavailableError } from "./errors.ts";
import type { MemoryStore } from "./memory/memory-store.ts";
import type { Store, StoreStatus } from "./store.ts";

export interface FailoverOptions {
	/** Opens the real store; throws or rejects if it cannot be used. */
	open: () => Store | Promise<Store>;
	memory: MemoryStore;
	/** Copies what only memory has into the store that was just opened. */
	handOver: (opened: Store) => Promise<void>;
	clock: Clock;
	warn: (message: string) => void;
}

const MINUTE = 60_000;

/** Decides which store an operation goes to: the real one, or memory while the real one fails. */
export class Failover {
	readonly #options: FailoverOptions;
	#primary: Store | undefined;
	#degraded: string | undefined;
	#cancelRecovery: (() => void) | undefined;
	#isClosed = false;

	constructor(options: FailoverOptions) {
		this.#options = options;
	}

	/** Starts in memory if the real store is unavailable; any other failure to open it is thrown. */
	async start(): Promise<void> {
		try {
			await this.#attach();
		} catch (error) {
			this.#degrade(error);
		}
	}

	get isDegraded(): boolean {
		return this.#degraded !== undefined;
	}

	status(): StoreStatus {
		if (this.#degraded !== undefined) return { mode: "memory", degraded: this.#degraded };
		return { mode: this.#primary?.kind ?? "memory" };
	}

	/** Tries the real store, and memory if that fails. */
	async write<T>(write: (store: Store) => Promise<T>): Promise<T> {
		const primary = this.#primary;
		if (primary && !this.isDegraded) {
			try {
				return await write(primary);
			} catch (error) {
				this.#degrade(error);
			}
		}
		return write(this.#options.memory);
	}

	/** Tries the real store, and answers at once where it does so. Undefined: it cannot be used. */
	tryNow<T>(work: (store: Store) => Soon<T>): Soon<T | undefined> {
		const primary = this.#primary;
		if (!primary || this.isDegraded) return undefined;
		return orElse<T | undefined>(
			() => work(primary),
			(error) => {
				this.#degrade(error);
				return undefined;
			},
		);
	}

	/** Looks in the store that is currently written to, then in the other one. */
	async read<T>(find: (store: Store) => Promise<T | undefined>): Promise<T | undefined> {
		const { memory } = this.#options;
		if (this.isDegraded) return (await find(memory)) ?? this.readPrimary(find);
		return (await this.readPrimary(find)) ?? find(memory);
	}

	/** Looks only in the real store, even while it cannot be written. */
	async readPrimary<T>(find: (store: Store) => Promise<T>): Promise<T | undefined> {
		const primary = this.#primary;
		if (!primary) return undefined;
		try {
			return await find(primary);
		} catch (error) {
			this.#degrade(error);
			// A store that cannot even be read is useless.
			if (this.#primary === primary) this.#primary = undefined;
			await drop(primary);
			return undefined;
		}
	}

	async close(): Promise<void> {
		this.#isClosed = true;
		this.#cancelRecovery?.();
		await drop(this.#primary);
	}

	/** Throws errors that are bugs rather than an unavailable store. */
	#degrade(error: unknown): void {
		if (!(error instanceof StoreUnavailableError)) throw error;
		this.#degraded ??= error.message;
		this.#options.warn(`The store is unavailable, memory stands in for it: ${error.message}`);
		this.#recoverLater();
	}

	#recoverLater(): void {
		if (this.#isClosed || this.#cancelRecovery) return;
		this.#cancelRecovery = this.#options.clock.after(MINUTE, () => void this.#recover());
	}

	async #recover(): Promise<void> {
		this.#cancelRecovery = undefined;
		try {
			await this.#attach();
			this.#options.warn("The store is available again.");
		} catch (error) {
			this.#degraded = (error as Error).message;
			this.#options.warn(`The store is still unavailable, memory stands in for it: ${this.#degraded}`);
			this.#recoverLater();
		}
	}

	async #attach(): Promise<void> {
		const opened = await this.#options.open();
		try {
			await this.#options.handOver(opened);
		} catch (error) {
			await drop(opened);
			throw error;
		}
		const former = this.#primary;
		this.#primary = opened;
		this.#degraded = undefined;
		await drop(former);
		if (this.#isClosed) await drop(opened);
	}
}

async function drop(store: Store | undefined): Promise<void> {
	try {
		await store?.close();
	} catch {
		// It is given up because it failed, so a failure to close it does not matter.
	}
}
