import type { Credential } from "../credential.ts";

/** How to renew a credential, as an account describes it to the keeper of the credential. */
export interface Renewal {
	/** Whether the credential still has to be renewed: another process may have renewed it in the meantime. */
	isDue(kept: Credential): boolean;
	/** Fetches the renewed credential. The old one may be invalid afterwards. */
	spend(kept: Credential): Promise<Credential>;
}

/** Stores one credential and provides the only way to renew it. */
export interface CredentialKeeper {
	/** Undefined if signed out. */
	load(): Promise<Credential | undefined>;
	/** Only one renewal runs at a time across all processes; the others use its result. */
	renew(renewal: Renewal): Promise<Credential>;
}

/** For a credential from the environment or from a request, which is not stored. */
export class MemoryKeeper implements CredentialKeeper {
	#credential: Credential;

	constructor(credential: Credential) {
		this.#credential = credential;
	}

	async load(): Promise<Credential> {
		return this.#credential;
	}

	async renew(renewal: Renewal): Promise<Credential> {
		if (renewal.isDue(this.#credential)) this.#credential = await renewal.spend(this.#credential);
		return this.#credential;
	}
}
