// The gateway's ledger, read after it has stopped: a gateway that loses rows looks faster than it is.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

// The gateway's own dependency.
const Database = createRequire(new URL("../packages/gateway/package.json", import.meta.url))("libsql");

/** How many rows were ever written. Old ones may have been removed since. */
export function ledgerRows(dataFolder) {
	const file = join(dataFolder, "cursorwire.db");
	if (!existsSync(file)) return 0;
	const database = new Database(file, { readonly: true });
	try {
		return database.prepare("select coalesce(max(id), 0) as written from ledger").get().written;
	} finally {
		database.close();
	}
}
