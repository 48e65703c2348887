import type { Command } from "commander";

/** What commands take that ask a running gateway. */
export interface GatewayCommandFlags {
	url?: string;
	/** A file with the owner's key, for a gateway that is not this user's. */
	keyFile?: string;
	dataDir?: string;
}

export function addGatewayOptions(command: Command): Command {
	return command
		.option("--url <url>", "address of the gateway, if it is not the one on this data folder")
		.option("--key-file <file>", "file with the owner's key of that gateway")
		.option("--data-dir <folder>", "data folder of the gateway");
}
