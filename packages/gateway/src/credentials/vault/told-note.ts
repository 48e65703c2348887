import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

// A login into a file says once why it is not in the keychain. What was said is remembered beside the file.

const fileIn = (dataDir: string): string => join(dataDir, "credentials", "keychain-note");

export async function wasTold(dataDir: string, note: string): Promise<boolean> {
	return (await readFile(fileIn(dataDir), "utf8").catch(() => undefined)) === note;
}

/** If this cannot be written, the note is shown again. */
export async function rememberTold(dataDir: string, note: string): Promise<void> {
	await writeFile(fileIn(dataDir), note, { mode: 0o600 }).catch(() => {});
}
