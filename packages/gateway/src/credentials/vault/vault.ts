/** Where a vault stores its text, to be shown to people. */
export type VaultPlace = { kind: "file"; path: string } | { kind: "keychain"; service: string; account: string };

/** Space for one write, reserved before a single-use token is used. */
export interface Reservation {
	/** An earlier process died between its reservation and its commit, so what it fetched is lost. */
	interrupted: boolean;
	commit(text: string): Promise<void>;
	/** Gives the space back. What was stored before stays unchanged. */
	release(): Promise<void>;
}

/** A new login may be put elsewhere than the one before it. */
export type Purpose = "new-login";

/** Stores one secret text. Everything but `read` and `place` is only called while holding the lock. */
export interface Vault {
	place(): Promise<VaultPlace>;
	read(): Promise<string | undefined>;
	/** Completes what a process that died left unfinished. */
	recover(): Promise<void>;
	/** Fails for every reason that can be known in advance (full disk, no permission), so that `commit` does not. */
	reserve(purpose?: Purpose): Promise<Reservation>;
	/** Removes the text completely. */
	clear(): Promise<void>;
}
