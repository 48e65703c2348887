import type { Places } from "../config/places.ts";
import type { Client, Target } from "../connect/client.ts";
import { planConnect } from "../connect/plan.ts";
import { readSettingsFile, settingsPath } from "../connect/settings-file.ts";

/** The user's settings of a client with the gateway in them, as `connect` would write them. */
export function connectedSettings(client: Client, target: Target, places: Places): string {
	const file = settingsPath(client, places);
	return planConnect(client, file, readSettingsFile(file), target, true).after;
}
