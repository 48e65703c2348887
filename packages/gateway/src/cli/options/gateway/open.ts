import type { Command } from "commander";
import { addGatewayOptions, type GatewayCommandFlags } from "./gateway.ts";

export interface OpenFlags extends GatewayCommandFlags {
	print?: boolean;
}

export function addOpenOptions(command: Command): Command {
	command
		.description("open the page that shows what runs in the gateway and what it costs")
		.option("--print", "only print its address, which works once within a minute");
	return addGatewayOptions(command);
}
