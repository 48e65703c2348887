import type { Command } from "commander";

export interface DoctorFlags {
	json?: boolean;
	report?: string;
	/** False with `--no-runs`. */
	runs?: boolean;
}

export function addDoctorOptions(command: Command): Command {
	return command
		.description("check everything between a client and Cursor, and say what to do")
		.option("--report <file>", "write the findings to a file for a bug report, without keys, tokens and names")
		.option("--no-runs", "do not ask a model; otherwise two short questions count as usage")
		.option("--json", "one JSON object");
}
