import { StoreUnavailableError } from "../errors.ts";
import { SqlDatabase } from "./database.ts";
import { explain, isDamage } from "./errors.ts";
import { moveAside, preparePrivateFile } from "./files.ts";
import { migrate } from "./schema.ts";

export interface OpenDatabaseOptions {
	now: () => number;
	/** Called when a damaged file was put aside. */
	warn: (message: string) => void;
	/** Called when stored data is gone, with the reason. */
	lost: (reason: string) => void;
}

const BUSY_TIMEOUT_MS = 2000;
// More than a page or two, so that it needs new room on the disk.
const PROBE_BYTES = 64 * 1024;

/** Opens the file, creates it if necessary, and proves that it can be written. A damaged file is put aside. */
export function openDatabase(file: string, options: OpenDatabaseOptions): SqlDatabase {
	const onDamage = () => {
		const reason = `${file} is damaged. ${putAside(file)}`;
		options.warn(reason);
		options.lost(reason);
	};
	try {
		return connect(file, options.now, onDamage);
	} catch (error) {
		if (error instanceof StoreUnavailableError && isDamage(error.cause)) return connect(file, options.now, onDamage);
		throw error;
	}
}

function connect(file: string, now: () => number, onDamage: () => void): SqlDatabase {
	try {
		preparePrivateFile(file);
	} catch (error) {
		throw explain(error);
	}
	const database = new SqlDatabase(file, { busyTimeoutMs: BUSY_TIMEOUT_MS, onDamage });
	try {
		// The first has to come before the first table. The last makes the journal shrink again after a large write.
		database.all("pragma auto_vacuum = incremental");
		database.all("pragma journal_mode = wal");
		database.all("pragma synchronous = normal");
		database.all("pragma journal_size_limit = 8388608");
		migrate(database, now());
		probe(database);
		return database;
	} catch (error) {
		database.close();
		throw error;
	}
}

function putAside(file: string): string {
	try {
		return `It is kept as ${moveAside(file)}, and a new one is made.`;
	} catch (error) {
		return `It cannot be put aside: ${(error as Error).message}`;
	}
}

/** On a full disk a file can often be opened, and even changed a little, before a real write fails. */
function probe(database: SqlDatabase): void {
	database.transaction(() => database.run("insert into probe (bytes) values (zeroblob(?))", [PROBE_BYTES]));
	database.transaction(() => database.run("delete from probe"));
}
