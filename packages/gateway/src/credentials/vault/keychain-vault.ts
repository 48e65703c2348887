import { StorageError } from "../../files/storage-error.ts";
import type { Clock } from "../../time/clock.ts";
import { keychainRefused, keychainSilent } from "./keychain-failure.ts";
import type { Reservation, Vault, VaultPlace } from "./vault.ts";

/** The part of `@napi-rs/keyring` that is used. Its synchronous form would block the process while a dialog is open. */
export interface KeychainEntry {
	getPassword(signal?: AbortSignal): Promise<string | null | undefined>;
	setPassword(text: string, signal?: AbortSignal): Promise<void>;
	deleteCredential(signal?: AbortSignal): Promise<unknown>;
}

export interface KeychainModule {
	AsyncEntry: new (service: string, account: string) => KeychainEntry;
}

export type LoadKeychain = (signal?: AbortSignal) => Promise<KeychainModule>;

export const KEYCHAIN_LIMIT_MS = 10_000;
/** How long a keychain that cannot be read is not asked again: each question may take the whole limit, or show a dialog. */
const REST_MS = 30_000;
const SERVICE = "cursorwire";
/** The messages for a missing entry on systems where the module throws instead of returning null. */
const NO_ENTRY = /no (?:matching )?entry|not found/i;

/** The keychain of the operating system. Every call is limited to 10 s, as a locked keychain shows a dialog or hangs. */
export class KeychainVault implements Vault {
	readonly #entry: KeychainEntry;
	readonly #account: string;
	readonly #clock: Clock;
	#failure: { error: unknown; until: number } | undefined;

	/** `account` keeps installations with different data folders apart. */
	constructor(keychain: KeychainModule, account: string, clock: Clock) {
		this.#entry = new keychain.AsyncEntry(SERVICE, account);
		this.#account = account;
		this.#clock = clock;
	}

	async place(): Promise<VaultPlace> {
		return { kind: "keychain", service: SERVICE, account: this.#account };
	}

	async read(): Promise<string | undefined> {
		if (this.#failure !== undefined && this.#clock.now() < this.#failure.until) throw this.#failure.error;
		try {
			return await this.#fetch();
		} catch (error) {
			this.#failure = { error, until: this.#clock.now() + REST_MS };
			throw error;
		}
	}

	async recover(): Promise<void> {}

	/** A keychain cannot reserve space. All that can be checked in advance is that it responds. */
	async reserve(): Promise<Reservation> {
		await this.read();
		return {
			interrupted: false,
			commit: (text) => this.#ask((signal) => this.#entry.setPassword(text, signal)),
			release: async () => {},
		};
	}

	async clear(): Promise<void> {
		if ((await this.#fetch()) !== undefined) await this.#ask((signal) => this.#entry.deleteCredential(signal));
	}

	async #fetch(): Promise<string | undefined> {
		const text = await this.#ask((signal) => readEntry(this.#entry, signal));
		this.#failure = undefined;
		return text;
	}

	async #ask<T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
		try {
			return await within(KEYCHAIN_LIMIT_MS, call, this.#clock);
		} catch (cause) {
			throw cause instanceof StorageError ? cause : keychainRefused(cause);
		}
	}
}

/** The content of an entry. Undefined if there is no such entry. */
export async function readEntry(entry: KeychainEntry, signal?: AbortSignal): Promise<string | undefined> {
	try {
		return (await entry.getPassword(signal)) ?? undefined;
	} catch (error) {
		if (NO_ENTRY.test((error as Error).message)) return undefined;
		throw error;
	}
}

/** Rejects if the keychain takes longer, and gives the operation up. */
export function within<T>(ms: number, operation: (signal: AbortSignal) => Promise<T>, clock: Clock): Promise<T> {
	const controller = new AbortController();
	return new Promise((resolve, reject) => {
		const cancelTimeout = clock.after(ms, () => {
			reject(keychainSilent(ms));
			controller.abort();
		});
		operation(controller.signal).then(resolve, reject).finally(cancelTimeout);
	});
}
