import type { SettingName } from "../config/setting-table.ts";
import type { Settings } from "../config/settings.ts";
import { type CredentialStore, openCredentialStore } from "../credentials/open-account.ts";
import { openHttpClient } from "./gateway/http-client.ts";
import { loadHomeSettings } from "./home-settings.ts";
import { runCommand } from "./process/run-command.ts";

/** What a command about credentials works with. */
export interface CredentialContext extends CredentialStore {
	settings: Settings;
	signal: AbortSignal;
}

/** Opens settings, network and vault for a command, and closes them afterwards. */
export function runCredentialCommand(
	overrides: Partial<Record<SettingName, unknown>>,
	work: (context: CredentialContext) => Promise<void>,
): Promise<void> {
	return runCommand(async (signal) => {
		const { settings } = loadHomeSettings(overrides);
		const transport = await openHttpClient(settings);
		try {
			const store = await openCredentialStore(settings, { transport });
			await work({ ...store, settings, signal });
		} finally {
			transport.close();
		}
	});
}
