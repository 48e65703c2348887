import type { Credential } from "../credential.ts";

/** How an account renews, told to whoever keeps its credential. */
export interface Renewal {
	/** Whether this one still has to be renewed: another process may have done it in the meantime. */
	isDue(kept: Credential): boolean;
	/** Fetches the new one. May use the old one up. */
	spend(kept: Credential): Promise<Credential>;
}

/** Where one credential lives, and the only way to renew it. */
export interface CredentialKeeper {
	/** Undefined: signed out. */
	load(): Promise<Credential | undefined>;
	/** At most one renewal at a time, in all processes together; the others adopt its outcome. */
	renew(renewal: Renewal): Promise<Credential>;
}

/** For a credential that comes from outside, by the environment or with a request, and is not to be stored. */
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
