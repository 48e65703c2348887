import { SETTINGS, type SettingName } from "./setting-table.ts";

/** The JSON schema of config.json, for editors. */
export function configSchema(): object {
	const names = Object.keys(SETTINGS) as SettingName[];
	return {
		$schema: "http://json-schema.org/draft-07/schema#",
		title: "Settings of Cursorwire (config.json)",
		type: "object",
		properties: {
			$schema: { type: "string", description: "where this schema is, for editors" },
			...Object.fromEntries(names.map((name) => [name, property(name)])),
		},
		additionalProperties: false,
	};
}

function property(name: SettingName): object {
	const { about, parse, default: value } = SETTINGS[name];
	// The data folder has another default on each system.
	return { description: about, ...parse.schema, ...(name !== "dataDir" && { default: value }) };
}
