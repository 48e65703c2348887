import type { FileLock } from "../../files/lock.ts";
import { StorageError, unusable } from "../../files/storage-error.ts";
import { GatewayError } from "../../turn/error.ts";
import type { Credential } from "../credential.ts";
import type { CredentialKeeper, Renewal } from "../token/keeper.ts";
import { isSpentByRenewal } from "../token/renew.ts";
import { decodeCredential, encodeCredential } from "./credential-text.ts";
import type { Purpose, Reservation, Vault } from "./vault.ts";

export interface VaultKeeperOptions {
	vault: Vault;
	lock: FileLock;
	/** Receives a line for the log about a problem that did not make the call fail. */
	report?: (line: string) => void;
}

/**
 * The credential of this installation, shared by all its processes. A renewal reads, fetches and writes under the lock.
 * Only `clear` deletes what is stored.
 */
export class VaultKeeper implements CredentialKeeper {
	readonly #vault: Vault;
	readonly #lock: FileLock;
	readonly #report: (line: string) => void;
	/** Fetched but not stored because the write failed, so it is newer than the content of the vault. */
	#unsaved: Credential | undefined;

	constructor({ vault, lock, report }: VaultKeeperOptions) {
		this.#vault = vault;
		this.#lock = lock;
		this.#report = report ?? (() => {});
	}

	async load(): Promise<Credential | undefined> {
		const newest = await this.#newest();
		if (newest !== undefined && newest === this.#unsaved) await this.#lock.hold(() => this.#saveLate()).catch(() => {});
		return newest;
	}

	async renew(renewal: Renewal): Promise<Credential> {
		const kept = await this.#newest();
		if (kept !== undefined && !renewal.isDue(kept)) return kept;
		try {
			return await this.#lock.hold(() => this.#renewUnderLock(renewal));
		} catch (error) {
			if (!(error instanceof StorageError) || kept === undefined || isSpentByRenewal(kept)) throw error;
			// The renewal does not invalidate the stored credential, so it can go on without being able to write.
			this.#report(error.fullMessage);
			this.#unsaved = await renewal.spend(kept);
			return this.#unsaved;
		}
	}

	/** Stores a new login in place of the old one. */
	async save(credential: Credential): Promise<void> {
		await this.#lock.hold(() => this.#write(credential, "new-login"));
	}

	/** Fails if `save` would fail. To be called before a person goes through a login in vain. */
	async checkWritable(): Promise<void> {
		await this.#lock.hold(async () => (await this.#vault.reserve("new-login")).release());
	}

	/** Signs out and leaves nothing of the credential. Returns false if nothing was stored. */
	async clear(): Promise<boolean> {
		this.#unsaved = undefined;
		return this.#lock.hold(async () => {
			const wasStored = await this.#vault.read().then(
				(text) => text !== undefined,
				() => true,
			);
			await this.#vault.clear();
			return wasStored;
		});
	}

	async #renewUnderLock(renewal: Renewal): Promise<Credential> {
		await this.#vault.recover();
		const kept = await this.#newest();
		if (kept === undefined) throw new GatewayError("signed-out");
		if (!renewal.isDue(kept)) return kept;
		const reservation = await this.#vault.reserve();
		let renewed: Credential;
		try {
			renewed = await renewal.spend(kept);
		} catch (error) {
			await reservation.release();
			throw reservation.interrupted ? interruptedBefore(error) : error;
		}
		await this.#commit(reservation, renewed);
		return renewed;
	}

	/** If the write fails, the fetched credential stays in memory, and every later `load` tries to store it again. */
	async #commit(reservation: Reservation, renewed: Credential): Promise<void> {
		try {
			await reservation.commit(encodeCredential(renewed));
			this.#unsaved = undefined;
		} catch (error) {
			this.#unsaved = renewed;
			this.#report(`The renewed login is not stored yet: ${(error as Error).message}`);
		}
	}

	async #saveLate(): Promise<void> {
		const newest = await this.#newest();
		if (newest !== undefined && newest === this.#unsaved) await this.#write(newest);
	}

	async #write(credential: Credential, purpose?: Purpose): Promise<void> {
		const reservation = await this.#vault.reserve(purpose);
		await reservation.commit(encodeCredential(credential));
		this.#unsaved = undefined;
	}

	async #newest(): Promise<Credential | undefined> {
		const stored = await this.#stored();
		const unsaved = this.#unsaved;
		const isNewer = unsaved && stored?.login === unsaved.login && unsaved.revision > stored.revision;
		return isNewer ? unsaved : stored;
	}

	async #stored(): Promise<Credential | undefined> {
		const text = await this.#vault.read();
		if (text === undefined) return undefined;
		try {
			return decodeCredential(text);
		} catch (cause) {
			const place = await this.#vault.place();
			const name = place.kind === "file" ? place.path : "the keychain entry of cursorwire";
			throw unusable(
				`The stored login (${name}) is damaged: ${(cause as Error).message}.`,
				"Run `cursorwire login` to replace it.",
				cause,
			);
		}
	}
}

/** Adds the reason if the refusal is the consequence of an earlier crash. */
function interruptedBefore(error: unknown): unknown {
	if (!(error instanceof GatewayError) || error.kind !== "signed-out") return error;
	return new GatewayError("signed-out", error.message, {
		detail: "An earlier renewal was interrupted before the new tokens were stored.",
		cause: error,
	});
}
