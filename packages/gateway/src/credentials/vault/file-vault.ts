import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
	createPrivateFile,
	ensurePrivateFolder,
	readPrivateFile,
	requirePrivateFolder,
	requireReplaceable,
	writeAll,
} from "../../files/private-file.ts";
import { storageFailed } from "../../files/storage-error.ts";
import type { Reservation, Vault, VaultPlace } from "./vault.ts";

const MAX_BYTES = 64 * 1024;
/** Larger than any credential, so that a commit needs no further disk space. */
const RESERVED_BYTES = 16 * 1024;

/**
 * One file (0600) in a folder of its own (0700). It is always replaced as a whole: the text is written to `….next`,
 * flushed to the disk and renamed. The space for it is reserved before the text exists. A process that dies before its
 * commit leaves an incomplete `….next` as a trace. One that dies before the rename leaves a complete one, which
 * `recover` puts in place.
 */
export class FileVault implements Vault {
	readonly #path: string;
	readonly #next: string;

	constructor(folder: string) {
		this.#path = join(folder, "cursor.json");
		this.#next = `${this.#path}.next`;
	}

	async place(): Promise<VaultPlace> {
		return { kind: "file", path: this.#path };
	}

	async read(): Promise<string | undefined> {
		await requirePrivateFolder(dirname(this.#path));
		return readPrivateFile(this.#path, MAX_BYTES);
	}

	async recover(): Promise<void> {
		const left = await readPrivateFile(this.#next, MAX_BYTES);
		if (left === undefined || !isWhole(left)) return;
		await this.#putInPlace();
	}

	async reserve(): Promise<Reservation> {
		await ensurePrivateFolder(dirname(this.#path));
		await requireReplaceable(this.#path);
		const left = await readPrivateFile(this.#next, MAX_BYTES);
		if (left !== undefined) await this.#remove(this.#next);
		const file = await this.#reserveSpace();
		return {
			interrupted: left !== undefined,
			commit: (text) => this.#commit(file, text),
			release: async () => {
				await file.close();
				// The trace of an earlier interruption stays until something newer is stored.
				if (left === undefined) await this.#remove(this.#next);
			},
		};
	}

	async clear(): Promise<void> {
		await this.#remove(this.#path);
		await this.#remove(this.#next);
	}

	async #reserveSpace(): Promise<FileHandle> {
		let file: FileHandle | undefined;
		try {
			file = await createPrivateFile(this.#next);
			await writeAll(file, Buffer.alloc(RESERVED_BYTES, " "));
			await file.sync();
			return file;
		} catch (cause) {
			await file?.close();
			await rm(this.#next, { force: true }).catch(() => {});
			throw storageFailed("written", this.#next, cause);
		}
	}

	async #commit(file: FileHandle, text: string): Promise<void> {
		try {
			const bytes = Buffer.from(`${text}\n`);
			await writeAll(file, bytes);
			await file.truncate(bytes.length);
			await file.sync();
		} catch (cause) {
			throw storageFailed("written", this.#next, cause);
		} finally {
			await file.close();
		}
		await this.#putInPlace();
	}

	async #putInPlace(): Promise<void> {
		try {
			await rename(this.#next, this.#path);
			await syncFolder(dirname(this.#path));
		} catch (cause) {
			throw storageFailed("replaced", this.#path, cause);
		}
	}

	async #remove(path: string): Promise<void> {
		try {
			await rm(path, { force: true });
		} catch (cause) {
			throw storageFailed("removed", path, cause);
		}
	}
}

/** An incomplete write or a mere reservation is not valid JSON. */
function isWhole(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** Makes a rename survive a power failure. Windows cannot open folders and does not need this step. */
async function syncFolder(path: string): Promise<void> {
	if (process.platform === "win32") return;
	const folder = await open(path);
	await folder.sync().finally(() => folder.close());
}
