import type { Command } from "commander";

export interface DemoFlags {
	port?: string;
	busy?: boolean;
	json?: boolean;
	logLevel?: string;
	logFormat?: string;
}

export function addDemoOptions(command: Command): Command {
	return command
		.description("run the gateway against the emulator, without an account")
		.option("--port <number>", "port of the gateway, 0 for any free one")
		.option("--busy", "let some clients work with it, so that there is something to look at")
		.option("--log-level <level>", "silent, error, warn, info, debug or trace (info in a terminal, else warn)")
		.option("--log-format <format>", "text, json or auto: readable lines in a terminal, JSON elsewhere")
		.option("--json", "print one JSON line when ready");
}
