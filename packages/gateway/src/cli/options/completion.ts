import type { Command } from "commander";
import { SHELLS } from "../completion/completion-scripts.ts";
import { later } from "./later.ts";

const BY_DEFAULT = `${SHELLS.join(", ")}; by default the one that $SHELL names`;

export function addCompletionCommands(command: Command): void {
	command.description("complete commands and options in your shell");
	command
		.command("install")
		.description("write the completion script to where your shell looks for it")
		.argument("[shell]", BY_DEFAULT)
		.action(later(async () => (await import("../commands/completion.ts")).installCompletion));
	command
		.command("uninstall")
		.description("remove the completion script")
		.argument("[shell]", BY_DEFAULT)
		.action(later(async () => (await import("../commands/completion.ts")).uninstallCompletion));
	command
		.command("print", { isDefault: true })
		.description("print the completion script")
		.argument("<shell>", SHELLS.join(", "))
		.action(later(async () => (await import("../commands/completion.ts")).printCompletion));
}
