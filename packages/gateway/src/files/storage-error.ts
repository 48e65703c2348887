import { GatewayError } from "../turn/error.ts";

/** A file, folder, lock or keychain cannot be used. The message names it and the reason. */
export class StorageError extends GatewayError {}

/** What is stored exists but is damaged or unsafe, and a person has to act. */
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
