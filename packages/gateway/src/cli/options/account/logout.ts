import type { Command } from "commander";

export function addLogoutOptions(command: Command): Command {
	return command.description("forget the stored Cursor login");
}
