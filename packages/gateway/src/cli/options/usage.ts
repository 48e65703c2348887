import type { Command } from "commander";

export interface UsageOptions {
	json?: boolean;
}

export function addUsageOptions(command: Command): Command {
	return command.description("show plan and quota, and what this gateway used today").option("--json", "print as JSON");
}
