import { randomBytes } from "node:crypto";
import { KeyRing } from "../access/key-ring.ts";
import { SettingError, type Settings } from "../config/settings.ts";
import { LimitBook } from "../guard/limit-book.ts";
import { openStore } from "../store/open-store.ts";
import type { GatewayStore } from "../store/store.ts";
import { loadHomeSettings } from "./home-settings.ts";
import { runCommand } from "./process/run-command.ts";

/** What a command that keeps keys and limits works with. */
export interface Books {
	ring: KeyRing;
	book: LimitBook;
	store: GatewayStore;
	settings: Settings;
}

/** Runs a command on the store that gateways use as well, which must be usable itself. */
export function withBooks(work: (books: Books) => Promise<void>): Promise<void> {
	return runCommand(async () => {
		const { settings } = loadHomeSettings();
		const { dataDir, redis, caFile } = settings;
		const store = await openStore({ dataDir, redis, caFile, warn: () => {} });
		try {
			const { degraded } = store.status();
			if (degraded !== undefined) {
				throw new SettingError(
					redis
						? `${degraded}; start it, or correct CURSORWIRE_REDIS`
						: `${dataDir} cannot be used (${degraded}); repair it, or set CURSORWIRE_DATA_DIR`,
				);
			}
			const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
			const book = new LimitBook({ store, now: Date.now, random: randomBytes });
			await work({ ring, book, store, settings });
			for (const { reason } of store.status().problems ?? []) console.error(`Note: ${reason}`);
		} finally {
			await store.close();
		}
	});
}
