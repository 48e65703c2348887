import { basename } from "node:path";
import type { Command } from "commander";
import { readPlaces } from "../../config/places.ts";
import { SettingError } from "../../config/settings.ts";
import { completionFile, removeCompletion, stepAfterInstall, writeCompletion } from "../completion/completion-file.ts";
import { COMPLETIONS, completionTree, SHELLS, type Shell } from "../completion/completion-scripts.ts";
import { runCommand } from "../process/run-command.ts";

/** `cursorwire completion`. The scripts are made from the commands of `program`. */
export function addCompletionCommands(command: Command, program: Command): void {
	const script = (shell: Shell) => COMPLETIONS[shell](completionTree(program));
	command.description("complete commands and options in your shell");
	command
		.command("install")
		.description("write the completion script to where your shell looks for it")
		.argument("[shell]", `${SHELLS.join(", ")}; by default the one that $SHELL names`)
		.action((name?: string) => runCommand(async () => install(shellOf(name), script)));
	command
		.command("uninstall")
		.description("remove the completion script")
		.argument("[shell]", `${SHELLS.join(", ")}; by default the one that $SHELL names`)
		.action((name?: string) => runCommand(async () => uninstall(shellOf(name))));
	command
		.command("print", { isDefault: true })
		.description("print the completion script")
		.argument("<shell>", SHELLS.join(", "))
		.action((name: string) => runCommand(async () => void process.stdout.write(script(shellOf(name)))));
}

function install(shell: Shell, script: (shell: Shell) => string): void {
	const places = readPlaces();
	const file = completionFile(shell, places);
	writeCompletion(file, script(shell));
	console.log(`Written: ${file}`);
	console.log(stepAfterInstall(shell, file));
}

function uninstall(shell: Shell): void {
	const file = completionFile(shell, readPlaces());
	const wasThere = removeCompletion(file);
	console.log(wasThere ? `Removed: ${file}` : `Nothing to remove: there is no ${file}`);
	if (wasThere && shell === "zsh") console.log("If you added its line to ~/.zshrc, remove that too.");
}

/** The shell of that name, or else the user's own. */
function shellOf(name: string | undefined): Shell {
	const wanted = name ?? basename(readPlaces().variable("SHELL"));
	const shell = SHELLS.find((known) => known === wanted);
	if (shell) return shell;
	if (name !== undefined) throw new SettingError(`"${name}" is not known; choose ${SHELLS.join(", ")}`);
	throw new SettingError(`$SHELL names no shell that is known; say which one: ${SHELLS.join(", ")}`);
}
