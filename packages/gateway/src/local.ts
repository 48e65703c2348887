// For other programs on this machine that look for a running gateway, such as the OpenCode plugin. It is small and does
// not load the gateway itself.
import { configuredKey } from "./access/configured-key.ts";
import { type FoundGateway, findGateway } from "./app/discovery.ts";
import { loadSettings } from "./config/settings.ts";

export type { FoundGateway };

/** Finds the running gateway that uses this user's data folder. Throws a one-line error if the settings are invalid. */
export function findLocalGateway(): FoundGateway | undefined {
	const { settings } = loadSettings();
	const found = findGateway(settings.dataDir);
	return found && { ...found, key: found.key ?? (configuredKey(settings) || undefined) };
}
