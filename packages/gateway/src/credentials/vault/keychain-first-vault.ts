import type { Reservation, Vault, VaultPlace } from "./vault.ts";

/**
 * The keychain, with a file for what it does not accept: a text that is too long, or a write while it is locked. If the
 * file exists, it is newer than the keychain entry, because it is only written when the keychain refuses. So it is read
 * first.
 */
export class KeychainFirstVault implements Vault {
	readonly #keychain: Vault;
	readonly #file: Vault;

	constructor(keychain: Vault, file: Vault) {
		this.#keychain = keychain;
		this.#file = file;
	}

	async place(): Promise<VaultPlace> {
		return (await this.#inUse()).place();
	}

	async read(): Promise<string | undefined> {
		return (await this.#file.read()) ?? (await this.#keychain.read());
	}

	recover(): Promise<void> {
		return this.#file.recover();
	}

	async reserve(): Promise<Reservation> {
		const vault = await this.#inUse();
		const reservation = await vault.reserve().catch(() => this.#file.reserve());
		return {
			...reservation,
			commit: (text) => reservation.commit(text).catch(() => this.#writeFile(text)),
		};
	}

	async clear(): Promise<void> {
		await this.#file.clear();
		await this.#keychain.clear();
	}

	async #inUse(): Promise<Vault> {
		return (await this.#file.read()) === undefined ? this.#keychain : this.#file;
	}

	async #writeFile(text: string): Promise<void> {
		const reservation = await this.#file.reserve();
		await reservation.commit(text);
	}
}
