// For other programs on this machine that look for a running gateway, such as the OpenCode plugin. Small, and loads
// nothing of the gateway itself.
import { configuredKey } from "./access/configured-key.ts";
import { type FoundGateway, findGateway } from "./app/discovery.ts";
import { loadSettings } from "./config/settings.ts";

export type { FoundGateway };

/** The gateway that runs on the data folder of this user. Settings that cannot be used throw one line. */
export function findLocalGateway(): FoundGateway | undefined {
	const { settings } = loadSettings();
	const found = findGateway(settings.dataDir);
	return found && { ...found, key: found.key ?? (configuredKey(settings) || undefined) };
}
