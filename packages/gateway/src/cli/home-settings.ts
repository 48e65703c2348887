import { misnamedDataFolder } from "../app/data-folder.ts";
import type { SettingName } from "../config/setting-table.ts";
import { type LoadedSettings, loadSettings, missingHome, SettingError } from "../config/settings.ts";

type Flags = Partial<Record<SettingName, unknown>>;

/** Settings for a command: a data folder that is a file is refused. */
export function loadCommandSettings(flags: Flags = {}): LoadedSettings {
	const loaded = loadSettings(flags);
	const misnamed = misnamedDataFolder(loaded.settings.dataDir);
	if (misnamed) throw new SettingError(misnamed);
	return loaded;
}

/** Settings for a command that writes to the data folder: a home folder that does not exist is not created. */
export function loadHomeSettings(flags: Flags = {}): LoadedSettings {
	const loaded = loadCommandSettings(flags);
	const home = missingHome(loaded);
	if (home === undefined) return loaded;
	throw new SettingError(
		`the home folder ${home} does not exist; set HOME, or CURSORWIRE_DATA_DIR to a folder for Cursorwire's files`,
	);
}
