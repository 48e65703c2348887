import { StorageError } from "../../files/storage-error.ts";
import type { Clock } from "../../time/clock.ts";
import { FileVault } from "./file-vault.ts";
import { type KeychainError, keychainNotLoaded } from "./keychain-failure.ts";
import { KeychainFirstVault } from "./keychain-first-vault.ts";
import { KeychainVault, type LoadKeychain, within } from "./keychain-vault.ts";
import type { Vault } from "./vault.ts";

export interface VaultOptions {
	/** The setting `vault`. */
	vault: string;
	folder: string;
	loadKeychain: LoadKeychain;
	clock: Clock;
}

export interface OpenedVault {
	vault: Vault;
	/** Why the keychain is not used although the settings allow it, and what to do about it. */
	note(): string | undefined;
}

/** `auto` uses the keychain if there is one, otherwise the file. `keychain` and `file` have no fallback. */
export async function openVault(options: VaultOptions): Promise<OpenedVault> {
	const file = new FileVault(options.folder);
	if (options.vault === "file") return { vault: file, note: () => undefined };
	let keychain: Vault | undefined;
	let failure: KeychainError | undefined;
	try {
		keychain = await loadVault(options);
		await keychain.read();
	} catch (error) {
		if (options.vault === "keychain") throw error;
		failure = error as KeychainError;
	}
	if (keychain === undefined || failure?.isAbsent) return { vault: file, note: () => failure?.fullMessage };
	if (options.vault === "keychain") return { vault: keychain, note: () => undefined };
	// A keychain that is locked now may be unlocked later, while a gateway runs.
	const both = new KeychainFirstVault(keychain, file, failure);
	return { vault: both, note: () => both.failure?.fullMessage };
}

/** Loading asks nobody. It only takes long where the machine is busy. */
const LOAD_LIMIT_MS = 30_000;

async function loadVault({ folder, loadKeychain, clock }: VaultOptions): Promise<Vault> {
	const module = await within(LOAD_LIMIT_MS, loadKeychain, clock).catch((cause) => {
		throw cause instanceof StorageError ? cause : keychainNotLoaded(cause);
	});
	return new KeychainVault(module, folder, clock);
}
