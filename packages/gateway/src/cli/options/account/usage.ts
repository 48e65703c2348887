import type { Command } from "commander";

export interface UsageOptions {
	json?: boolean;
	csv?: boolean;
	since?: string;
	by?: string;
}

export function addUsageOptions(command: Command): Command {
	return command
		.description("show plan and quota, and what this gateway used today; or export its ledger")
		.option("--since <when>", "what this gateway served since a date (2026-11-01), or in the last 12h, 7d or 2w")
		.option("--by <what>", "sums by client, model, day or conversation")
		.option("--csv", "print as CSV, one line per turn unless --by is given")
		.option("--json", "print as JSON");
}
