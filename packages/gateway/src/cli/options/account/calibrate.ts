import type { Command } from "commander";

export interface CalibrateFlags {
	yes?: boolean;
	json?: boolean;
	dryRun?: boolean;
	only?: string;
	all?: boolean;
	report?: string;
	/** Seconds. */
	wait?: string;
}

export const WAIT_SECONDS = 45;

export function addCalibrateOptions(command: Command): Command {
	return command
		.description("find out once how Cursor treats your account, so that the gateway can adapt to it")
		.option("-y, --yes", "do not ask")
		.option("--dry-run", "say what would be done and what it costs, and do nothing")
		.option("--only <question>", "only one question, by its name in the table")
		.option("--all", "also what costs more: a model with long context, without and with Max Mode")
		.option(
			"--report <file>",
			"write the answers and the shapes of all frames to a file, without texts, tokens and ids",
		)
		.option("--wait <seconds>", "give up a turn after this much silence", String(WAIT_SECONDS))
		.option("--json", "one JSON object");
}
