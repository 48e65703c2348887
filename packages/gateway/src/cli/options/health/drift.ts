import type { Command } from "commander";

export interface DriftFlags {
	json?: boolean;
	report?: string;
}

export function addDriftOptions(command: Command): Command {
	return command
		.description("show what Cursor sent that this version does not know")
		.option("--report <file>", "write it to a file for a bug report: names, numbers and times, no content")
		.option("--json", "one JSON object");
}
