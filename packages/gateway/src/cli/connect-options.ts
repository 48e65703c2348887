import { type Command, Option } from "commander";
import { CLIENTS } from "../connect/clients.ts";
import type { GatewayFlags } from "./find-gateway.ts";

// Apart from the commands, which need libraries that a gateway must not carry around.

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

/** The name under which `connect` prints programs in place of changing settings. */
export const SDK = "sdk";

export function addConnectOptions(command: Command): Command {
	return command
		.description("set up a client for the gateway that runs")
		.argument("[client]", `${Object.keys(CLIENTS).join(", ")}, or ${SDK} for programs; without it they are listed`)
		.option("-m, --model <name>", "model to choose", "auto")
		.option("--no-default", "make the gateway known to the client, and leave the client's choice of model alone")
		.option("--file <path>", "settings file, where it is not the client's usual one")
		.option("--url <url>", "gateway, where it does not run here")
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
		.description("take a client's settings back to what they were")
		.argument("[client]", Object.keys(CLIENTS).join(", "))
		.option("--all", "all clients that are connected")
		.option("-y, --yes", "do not ask")
		.option("--json", "one JSON object a client");
}
