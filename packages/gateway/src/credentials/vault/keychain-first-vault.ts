import type { Reservation, Vault, VaultPlace } from "./vault.ts";

/**
 * The keychain, and a file for what it does not take: a text too long for it, a write while it is locked. A file that
 * is there is newer than the keychain, because it is only made where the keychain refused; so it is read first.
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
