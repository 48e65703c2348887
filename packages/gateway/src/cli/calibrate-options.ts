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
		.description("find out how Cursor treats your account, once, so that the gateway does the one right thing")
		.option("-y, --yes", "do not ask")
		.option("--dry-run", "say what would be done and what it costs, and do nothing")
		.option("--only <question>", "one question, by the name that the table has for it")
		.option("--all", "also what costs more: a model with its long context, without and with Max Mode")
		.option("--report <file>", "write the answers and the shapes of all frames to a file: no text, no token, no id")
		.option("--wait <seconds>", "give up a turn in which nothing comes for so long", String(WAIT_SECONDS))
		.option("--json", "one JSON object");
}
