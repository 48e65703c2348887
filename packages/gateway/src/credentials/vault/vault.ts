/** Where a vault keeps its text, for people. */
export type VaultPlace = { kind: "file"; path: string } | { kind: "keychain"; service: string; account: string };

/** Room for one write, taken before a single-use token is spent. */
export interface Reservation {
	/** An earlier process died between its reservation and its commit: what it fetched is lost. */
	interrupted: boolean;
	commit(text: string): Promise<void>;
	/** Gives the room back; what was stored before stays as it is. */
	release(): Promise<void>;
}

/** A place for one secret text. All but `read` are called under the lock only. */
export interface Vault {
	place(): Promise<VaultPlace>;
	read(): Promise<string | undefined>;
	/** Finishes what a process that died left unfinished. */
	recover(): Promise<void>;
	/** Fails here, and not in `commit`, for every reason that can be known in advance (full disk, no permission). */
	reserve(): Promise<Reservation>;
	/** Leaves nothing of the text behind. */
	clear(): Promise<void>;
}
