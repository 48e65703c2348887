import type { Command } from "commander";

export interface ConfigFlags {
	json?: boolean;
	schema?: boolean;
}

export function addConfigOptions(command: Command): Command {
	return command
		.description("show the current settings, and where each comes from")
		.option("--json", "as one JSON object, with a description of each setting")
		.option("--schema", "print the JSON schema of config.json, for editors");
}
