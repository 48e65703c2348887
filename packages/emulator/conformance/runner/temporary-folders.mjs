// All folders that a run makes outside of the repository, so that an interrupted run can remove them.
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @type {Set<string>} */
const folders = new Set();

export async function makeTemporaryFolder() {
	// The SDK reports resolved paths. On macOS the temporary folder is a link, and would not compare equal.
	const folder = await realpath(await mkdtemp(join(tmpdir(), "cursorwire-conformance-")));
	folders.add(folder);
	return folder;
}

/** @param {string} folder */
export async function removeTemporaryFolder(folder) {
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	folders.delete(folder);
}

export async function removeAllTemporaryFolders() {
	await Promise.all([...folders].map(removeTemporaryFolder));
}
