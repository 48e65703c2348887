import { StorageError } from "../../files/storage-error.ts";
import type { Clock } from "../../time/clock.ts";
import { describeCause } from "../../wire/errors.ts";
import { FileVault } from "./file-vault.ts";
import { KeychainFirstVault } from "./keychain-first-vault.ts";
import { KEYCHAIN_LIMIT_MS, KeychainVault, type LoadKeychain, within } from "./keychain-vault.ts";
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
	/** Why the keychain is not used although the settings allow it. */
	note?: string;
}

/** `auto` uses the keychain if it responds, otherwise the file. `keychain` and `file` have no fallback. */
export async function openVault(options: VaultOptions): Promise<OpenedVault> {
	const file = new FileVault(options.folder);
	if (options.vault === "file") return { vault: file };
	try {
		const keychain = await openKeychain(options);
		return { vault: options.vault === "keychain" ? keychain : new KeychainFirstVault(keychain, file) };
	} catch (error) {
		if (options.vault === "keychain") throw error;
		return { vault: file, note: (error as Error).message };
	}
}

async function openKeychain({ folder, loadKeychain, clock }: VaultOptions): Promise<Vault> {
	const module = await within(KEYCHAIN_LIMIT_MS, loadKeychain(), clock).catch((cause) => {
		if (cause instanceof StorageError) throw cause;
		const isMissing = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND";
		const reason = isMissing ? "is not installed" : `cannot be loaded (${describeCause(cause)})`;
		throw new StorageError("internal", `The keychain module @napi-rs/keyring ${reason}.`, {
			nextStep: "Install it, or use CURSORWIRE_VAULT=file.",
			cause,
		});
	});
	const keychain = new KeychainVault(module, folder, clock);
	await keychain.read();
	return keychain;
}
