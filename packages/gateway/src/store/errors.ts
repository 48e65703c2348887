/** The store cannot work for a reason outside the program: a full disk, a missing folder, a lock held too long. */
export class StoreUnavailableError extends Error {
	override readonly name = "StoreUnavailableError";
}

/** The file was written by a newer version. Going on, even in memory, would hide the user's data without a word. */
export class StoreVersionError extends Error {
	override readonly name = "StoreVersionError";
}
