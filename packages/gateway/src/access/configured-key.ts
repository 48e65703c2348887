import { SettingError, type Settings } from "../config/settings.ts";
import { KeyFileError, readPrivateText } from "./key-file.ts";
import { weaknessOf } from "./key-strength.ts";

type KeySettings = Pick<Settings, "key" | "keyFile">;

/** The gateway key from the settings, given directly or as the name of a file. Empty if there is none. */
export function configuredKey({ key, keyFile }: KeySettings): string {
	if (keyFile === "") return key;
	if (key !== "") throw new SettingError("key and keyFile are both set; leave one of them out");
	try {
		const text = readPrivateText(keyFile, "Name another file.");
		if (!text) throw new KeyFileError(`${keyFile} ${text === undefined ? "does not exist" : "is empty"}.`);
		return text;
	} catch (error) {
		throw error instanceof KeyFileError ? new SettingError(`keyFile: ${error.message}`) : error;
	}
}

/** Like `configuredKey`, for a gateway that this key protects: throws if the key is easy to guess. */
export function strongConfiguredKey(settings: KeySettings): string {
	const key = configuredKey(settings);
	const weakness = key === "" ? undefined : weaknessOf(key);
	if (weakness === undefined) return key;
	const where = settings.keyFile === "" ? 'CURSORWIRE_KEY, or "key" in config.json,' : settings.keyFile;
	throw new SettingError(
		`the gateway key in ${where} ${weakness}; make one with \`openssl rand -base64 32\`, or leave it out and the gateway generates one`,
	);
}
