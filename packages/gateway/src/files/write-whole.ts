import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a file so that a reader sees the old or the new one, never half of one. Returns whether it succeeded. */
export async function writeWhole(path: string, text: string): Promise<boolean> {
	const draft = `${path}.${process.pid}.tmp`;
	try {
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		await writeFile(draft, text, { mode: 0o600 });
		await rename(draft, path);
		return true;
	} catch {
		await rm(draft, { force: true }).catch(() => {});
		return false;
	}
}
