import { StorageError, unusable } from "../../files/storage-error.ts";
import type { Purpose, Reservation, Vault, VaultPlace } from "./vault.ts";

/**
 * The keychain, with a file for what it does not accept: a text that is too long, or a write while it is locked. If the
 * file exists, it is newer than the keychain entry, because it is only written when the keychain refuses. So it is read
 * first, and renewals stay in it. A new login tries the keychain again.
 */
export class KeychainFirstVault implements Vault {
	readonly #keychain: Vault;
	readonly #file: Vault;
	#failure: StorageError | undefined;

	constructor(keychain: Vault, file: Vault, failure?: StorageError) {
		this.#keychain = keychain;
		this.#file = file;
		this.#failure = failure;
	}

	/** Why the keychain was not used last time. */
	get failure(): StorageError | undefined {
		return this.#failure;
	}

	async place(): Promise<VaultPlace> {
		return (await this.#inUse()).place();
	}

	async read(): Promise<string | undefined> {
		return (await this.#file.read()) ?? (await this.#readKeychain());
	}

	recover(): Promise<void> {
		return this.#file.recover();
	}

	async reserve(purpose?: Purpose): Promise<Reservation> {
		const vault = purpose === "new-login" ? this.#keychain : await this.#inUse();
		if (vault === this.#file) return this.#file.reserve();
		try {
			const reservation = await this.#keychain.reserve();
			return { ...reservation, commit: (text) => this.#commit(reservation, text) };
		} catch (error) {
			this.#failed(error);
			return this.#file.reserve();
		}
	}

	async clear(): Promise<void> {
		await this.#file.clear();
		await this.#keychain.clear();
	}

	async #inUse(): Promise<Vault> {
		return (await this.#file.read()) === undefined ? this.#keychain : this.#file;
	}

	async #readKeychain(): Promise<string | undefined> {
		try {
			const text = await this.#keychain.read();
			this.#failure = undefined;
			return text;
		} catch (error) {
			const { message, detail, nextStep } = this.#failed(error);
			throw unusable(
				`The stored login cannot be read. ${[message, detail].filter(Boolean).join(" ")}`,
				nextStep,
				error,
			);
		}
	}

	async #commit(reservation: Reservation, text: string): Promise<void> {
		try {
			await reservation.commit(text);
		} catch (error) {
			this.#failed(error);
			const instead = await this.#file.reserve();
			return instead.commit(text);
		}
		this.#failure = undefined;
		await this.#file.clear();
	}

	#failed(error: unknown): StorageError {
		if (!(error instanceof StorageError)) throw error;
		this.#failure = error;
		return error;
	}
}
