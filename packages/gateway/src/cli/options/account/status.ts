import type { Command } from "commander";

export interface StatusFlags {
	json?: boolean;
}

export function addStatusOptions(command: Command): Command {
	return command
		.description("show whose login is used, where it is kept, and whether a gateway is running")
		.option("--json", "as one JSON object");
}
