import type { Command } from "commander";
import { addGatewayOptions, type GatewayCommandFlags } from "./gateway.ts";

export interface TopFlags extends GatewayCommandFlags {
	once?: boolean;
	json?: boolean;
}

export function addTopOptions(command: Command): Command {
	command
		.description("show what runs in the gateway now")
		.option("--once", "print it once, as where the output is not a terminal")
		.option("--json", "print it once, as one JSON object");
	return addGatewayOptions(command);
}
