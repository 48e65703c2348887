import { GatewayError } from "../../turn/error.ts";

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

/** A vault or its lock cannot be used. The message names the place and the reason. */
export class StorageError extends GatewayError {}

/** The stored credential is there but unusable or unsafe; a person has to do something. */
export function unusable(message: string, nextStep: string, cause?: unknown): StorageError {
	return new StorageError("signed-out", message, { nextStep, cause });
}

/** The system refuses to read or write. */
export function storageFailed(action: string, path: string, cause: unknown): StorageError {
	const code = (cause as NodeJS.ErrnoException).code ?? "unknown error";
	return new StorageError("internal", `${path} cannot be ${action} (${code}).`, {
		nextStep: "Check the disk and the permissions of that folder.",
		cause,
	});
}
