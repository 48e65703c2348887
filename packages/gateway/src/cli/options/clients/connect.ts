import { type Command, Option } from "commander";
import { CLIENT_NAMES, CLIENTS } from "../../../connect/clients.ts";
import type { GatewayFlags } from "../../gateway/find-gateway.ts";

// Separate from the commands, because they need libraries that a running gateway should not load.

export interface ConnectFlags extends GatewayFlags {
	model: string;
	file?: string;
	yes?: boolean;
	print?: boolean;
	json?: boolean;
	/** False with `--no-default`. */
	default?: boolean;
	/** False with `--no-verify`. */
	verify?: boolean;
}

/** With this name `connect` prints programs instead of changing settings. */
export const SDK = "sdk";

export function addConnectOptions(command: Command): Command {
	return command
		.description("set up a client for the running gateway")
		.argument("[client]", `${CLIENT_NAMES.join(", ")}, or ${SDK} for example programs; lists them if left out`)
		.option("-m, --model <name>", "model to choose", "auto")
		.option("--no-default", "add the gateway to the client, but keep the model that the client uses")
		.option("--file <path>", "settings file, if it is not in the client's usual place")
		.option("--url <url>", "address of the gateway, if it does not run on this machine")
		.addOption(new Option("--key <key>", "key of that gateway"))
		.option("-y, --yes", "do not ask")
		.option("--no-verify", "do not send a first question through the gateway")
		.option("--print", "print the settings and change nothing")
		.option("--json", "one JSON object");
}

export interface DisconnectFlags {
	all?: boolean;
	yes?: boolean;
	json?: boolean;
}

export function addDisconnectOptions(command: Command): Command {
	return command
		.description("restore a client's settings")
		.argument("[client]", Object.keys(CLIENTS).join(", "))
		.option("--all", "all connected clients")
		.option("-y, --yes", "do not ask")
		.option("--json", "one JSON object per client");
}
