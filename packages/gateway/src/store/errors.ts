/** The store cannot work for a reason outside the program: a full disk, a missing folder, a lock held too long. */
export class StoreUnavailableError extends Error {
	override readonly name = "StoreUnavailableError";
}

/** The file was written by a newer version. Continuing, even in memory, would silently hide the user's data. */
export class StoreVersionError extends Error {
	override readonly name = "StoreVersionError";
}
