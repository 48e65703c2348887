import type { Command } from "commander";
import { later } from "../later.ts";

const commands = () => import("../../commands/gateway/limits.ts");

export function addLimitsCommands(command: Command): Command {
	command.description("limit what may be spent, and see how much of it is used");
	command
		.command("list", { isDefault: true })
		.description("list the limits, and how much of each is used")
		.option("--json", "as one JSON object")
		.allowExcessArguments()
		.action(later(async () => (await commands()).listLimits));
	command
		.command("add")
		.description('add a limit, such as "20 turns/day", "1M tokens/week on claude-*" or "80% of api"')
		.argument("<limit...>", "an amount of turns or tokens, or a part of a pool, and for how long it counts")
		.option("--key <key>", "only for this key, by its name or id")
		.option("--watch", "count and warn, but stop nothing")
		.option("--finish", "refuse new turns, but let one that is under way end, tool calls included")
		.option("--json", "as one JSON object")
		.action(later(async () => (await commands()).addLimit));
	command
		.command("raise")
		.description("give a limit another amount, at once and for everything it has counted")
		.argument("<id>", "its id")
		.argument("<amount>", "such as 40, 500k or 90%")
		.option("--json", "as one JSON object")
		.action(later(async () => (await commands()).raiseLimit));
	for (const [name, about] of [
		["pause", "let everything through until the limit is resumed"],
		["resume", "put a paused limit in force again"],
		["remove", "remove a limit for good"],
	] as const) {
		command
			.command(name)
			.description(about)
			.argument("<id>", "its id")
			.option("--json", "as one JSON object")
			.action(later(async () => (await commands())[`${name}Limit`]));
	}
	return command;
}
