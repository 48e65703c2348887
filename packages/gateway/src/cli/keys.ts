import { randomBytes } from "node:crypto";
import type { Command } from "commander";
import { keyFileIn, readKeyFile } from "../access/key-file.ts";
import { KeyRing } from "../access/key-ring.ts";
import { loadSettings, SettingError } from "../config/settings.ts";
import { openStore } from "../store/open-store.ts";
import { runCommand } from "./run-command.ts";

export interface KeysFlags {
	add?: string;
	revoke?: string;
	json?: boolean;
}

export function addKeysOptions(command: Command): Command {
	return command
		.description("show the gateway key, and add or revoke others")
		.option("--add <name>", "make another key")
		.option("--revoke <id>", "revoke a key")
		.option("--json", "as one JSON object");
}

/** `cursorwire keys`. The owner's key is shown whole; of the others only a hash is kept. */
export function keys(flags: KeysFlags): Promise<void> {
	return runCommand(async () => {
		const { settings } = loadSettings();
		const store = await openStore({ dataDir: settings.dataDir, warn: (line) => console.error(line) });
		try {
			if (store.status().degraded && (flags.add ?? flags.revoke) !== undefined) {
				throw new SettingError(`nothing can be written to ${settings.dataDir}, so no key can be changed`);
			}
			const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
			if (flags.add !== undefined) {
				const { key, record } = await ring.add(flags.add);
				return print(flags, { key, id: record.id }, `${key}\nid ${record.id}; it is not shown again`);
			}
			if (flags.revoke !== undefined) {
				if (!(await ring.revoke(flags.revoke)))
					throw new SettingError(`there is no valid key with the id ${flags.revoke}`);
				return print(flags, { revoked: flags.revoke }, "revoked");
			}
			const key = readKeyFile(keyFileIn(settings.dataDir));
			const records = await ring.list();
			const lines = records.map(({ id, name, revokedAt }) => `  ${id}  ${name}${revokedAt ? "  (revoked)" : ""}`);
			print(
				flags,
				{ key, keys: records.map(({ hash: _, ...record }) => record) },
				[key ?? "no key yet: it is made when the gateway first starts", ...lines].join("\n"),
			);
		} finally {
			await store.close();
		}
	});
}

function print({ json }: KeysFlags, value: object, text: string): void {
	console.log(json ? JSON.stringify(value) : text);
}
