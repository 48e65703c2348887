import { StorageError } from "../../files/storage-error.ts";
import type { Clock } from "../../time/clock.ts";
import type { Reservation, Vault, VaultPlace } from "./vault.ts";

/** The part of `@napi-rs/keyring` that is used. Its synchronous form would block the process while a dialog is open. */
export interface KeychainEntry {
	getPassword(): Promise<string | null | undefined>;
	setPassword(text: string): Promise<void>;
	deleteCredential(): Promise<unknown>;
}

export interface KeychainModule {
	AsyncEntry: new (service: string, account: string) => KeychainEntry;
}

export type LoadKeychain = () => Promise<KeychainModule>;

const MODULE = "@napi-rs/keyring";

/** The module is optional: systems without it, or without a prebuilt binary, use a file. */
export const loadKeychain: LoadKeychain = () => import(MODULE) as Promise<KeychainModule>;

export const KEYCHAIN_LIMIT_MS = 3_000;
const SERVICE = "cursorwire";
/** The messages for a missing entry on systems where the module throws instead of returning null. */
const NO_ENTRY = /no (?:matching )?entry|not found/i;

/** The keychain of the operating system. Every call is limited to 3 s, as a locked keychain shows a dialog or hangs. */
export class KeychainVault implements Vault {
	readonly #entry: KeychainEntry;
	readonly #account: string;
	readonly #clock: Clock;

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
		return (await this.#ask(() => readEntry(this.#entry))) ?? undefined;
	}

	async recover(): Promise<void> {}

	/** A keychain cannot reserve space. All that can be checked in advance is that it responds. */
	async reserve(): Promise<Reservation> {
		await this.read();
		return {
			interrupted: false,
			commit: (text) => this.#ask(() => this.#entry.setPassword(text)),
			release: async () => {},
		};
	}

	async clear(): Promise<void> {
		if ((await this.read()) !== undefined) await this.#ask(() => this.#entry.deleteCredential());
	}

	async #ask<T>(call: () => Promise<T>): Promise<T> {
		try {
			return await within(KEYCHAIN_LIMIT_MS, call(), this.#clock);
		} catch (cause) {
			if (cause instanceof StorageError) throw cause;
			throw new StorageError("internal", "The system's keychain refused the request.", {
				detail: `${(cause as Error).message}.`,
				nextStep: "Unlock the keychain, or use CURSORWIRE_VAULT=file.",
				cause,
			});
		}
	}
}

/** The content of an entry. Undefined if there is no such entry. */
export async function readEntry(entry: KeychainEntry): Promise<string | undefined> {
	try {
		return (await entry.getPassword()) ?? undefined;
	} catch (error) {
		if (NO_ENTRY.test((error as Error).message)) return undefined;
		throw error;
	}
}

/** Rejects if the keychain takes longer. The operation itself continues, but its result is ignored. */
export function within<T>(ms: number, operation: Promise<T>, clock: Clock): Promise<T> {
	return new Promise((resolve, reject) => {
		const cancelTimeout = clock.after(ms, () =>
			reject(
				new StorageError("internal", `The system's keychain did not respond within ${ms / 1000} s.`, {
					nextStep: "Unlock the keychain, or use CURSORWIRE_VAULT=file.",
				}),
			),
		);
		operation.then(resolve, reject).finally(cancelTimeout);
	});
}
