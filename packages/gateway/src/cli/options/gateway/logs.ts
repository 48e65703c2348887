import type { Command } from "commander";
import type { LogFilterFlags } from "../../gateway/log-filter.ts";
import { addGatewayOptions, type GatewayCommandFlags } from "./gateway.ts";

export interface LogsFlags extends GatewayCommandFlags, LogFilterFlags {
	follow?: boolean;
	lines: string;
	json?: boolean;
	text?: boolean;
}

export function addLogsOptions(command: Command): Command {
	command
		.description("show what the running gateway logs")
		.option("-f, --follow", "go on with every new line")
		.option("-n, --lines <number>", "how many of the last lines to show", "50")
		.option("--level <level>", "only lines of this level and above: info, warn or error")
		.option("--errors", "only turns that failed, refused requests and warnings")
		.option("--client <name>", "only one client: the name of its key, or what it calls itself")
		.option("--key <name>", "only the key with this name")
		.option("--model <name>", "only turns with this model")
		.option("--request <id>", "only the request with this id, which each response has in a header")
		.option("--json", "print JSON lines, as where the output is not a terminal")
		.option("--text", "print readable lines even where the output is not a terminal");
	return addGatewayOptions(command);
}
