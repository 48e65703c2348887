import type { Command } from "commander";

export interface ModelsOptions {
	json?: boolean;
	refresh?: boolean;
}

export function addModelsOptions(command: Command): Command {
	return command
		.description("list the models of your account")
		.option("--json", "print the whole list as JSON")
		.option("--refresh", "ask Cursor now, even if the stored list is fresh");
}
