import { type Command, Option } from "commander";
import { LAUNCH_NAMES } from "../../../launch/client-names.ts";
import { SHELLS } from "../../../launch/shell-lines.ts";
import type { GatewayFlags } from "../../gateway/find-gateway.ts";
import { several } from "../several.ts";

export interface LaunchFlags extends GatewayFlags {
	model: string;
	limit?: string[];
}

export function addLaunchOptions(command: Command): Command {
	return command
		.description("start a client once through the gateway, without changing its settings")
		.argument("[client]", `${LAUNCH_NAMES.join(", ")}; lists them if left out`)
		.argument("[words...]", "behind --: what the client is given; without a client, any command")
		.option("-m, --model <name>", "model to use", "auto")
		.option("--limit <limit>", 'what the launch may spend, such as "20 turns"; may be given several times', several)
		.option("--url <url>", "address of the gateway, if it does not run on this machine")
		.addOption(new Option("--key <key>", "key of that gateway, which is then used instead of one of its own"));
}

export interface EnvFlags extends GatewayFlags {
	model: string;
	shell?: string;
}

export function addEnvOptions(command: Command): Command {
	return command
		.description("print what a client needs in its environment, for eval in a shell")
		.argument("[client]", "claude, opencode and others; the usual variables if left out")
		.option("-m, --model <name>", "model to use", "auto")
		.option("--shell <name>", `${SHELLS.join(", ")}: whose form the lines have (powershell on Windows, else sh)`)
		.option("--url <url>", "address of the gateway, if it does not run on this machine")
		.addOption(new Option("--key <key>", "key of that gateway"));
}
