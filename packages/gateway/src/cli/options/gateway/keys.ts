import type { Command } from "commander";
import { later } from "../later.ts";
import { several } from "../several.ts";

export function addKeysCommands(command: Command): Command {
	command.description("show the gateway's keys; add, limit and revoke them");
	command
		.command("list", { isDefault: true })
		.description("show the owner's key, and what is known of the others")
		.option("--json", "as one JSON object")
		// It runs whenever no other subcommand is named, also for one that does not exist.
		.allowExcessArguments()
		.action(later(async () => (await import("../../commands/gateway/keys.ts")).listKeys));
	command
		.command("show")
		.description("print the owner's key and nothing else, for scripts")
		.action(later(async () => (await import("../../commands/gateway/keys.ts")).showKey));
	command
		.command("add")
		.description("create another key; it is shown only once")
		.argument("<name>", "what it is for")
		.option("--turns <number>", "how many turns it may have at the same time")
		.option("--limit <limit>", 'what may be spent with it, such as "20 turns/day"; may be given several times', several)
		.option("--metrics-only", "it can read /metrics and nothing else, for a Prometheus")
		.option("--json", "as one JSON object")
		.action(later(async () => (await import("../../commands/gateway/keys.ts")).addKey));
	command
		.command("revoke")
		.description("make a key invalid, at once and for good")
		.argument("<id>", "its id, or its name if no other key has it")
		.option("--json", "as one JSON object")
		.action(later(async () => (await import("../../commands/gateway/keys.ts")).revokeKey));
	return command;
}
