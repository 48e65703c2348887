import type { SettingName } from "../config/setting-table.ts";
import { type LoadedSettings, loadSettings, missingHome, SettingError } from "../config/settings.ts";

/** Settings for a command that writes to the data folder: a home folder that does not exist is not created. */
export function loadHomeSettings(flags: Partial<Record<SettingName, unknown>> = {}): LoadedSettings {
	const loaded = loadSettings(flags);
	const home = missingHome(loaded);
	if (home === undefined) return loaded;
	throw new SettingError(
		`the home folder ${home} does not exist; set HOME, or CURSORWIRE_DATA_DIR to a folder for Cursorwire's files`,
	);
}
