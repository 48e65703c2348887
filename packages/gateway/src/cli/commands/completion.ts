import { basename } from "node:path";
import type { Command } from "commander";
import { readPlaces } from "../../config/places.ts";
import { SettingError } from "../../config/settings.ts";
import { completionFile, removeCompletion, stepAfterInstall, writeCompletion } from "../completion/completion-file.ts";
import { COMPLETIONS, completionTree, SHELLS, type Shell } from "../completion/completion-scripts.ts";
import { runCommand } from "../process/run-command.ts";

export function installCompletion(name: string | undefined, _flags: object, command: Command): Promise<void> {
	return runCommand(async () => {
		const shell = shellOf(name);
		const file = completionFile(shell, readPlaces());
		writeCompletion(file, scriptFor(shell, command));
		console.log(`Written: ${file}`);
		console.log(stepAfterInstall(shell, file));
	});
}

export function uninstallCompletion(name: string | undefined): Promise<void> {
	return runCommand(async () => {
		const shell = shellOf(name);
		const file = completionFile(shell, readPlaces());
		const wasThere = removeCompletion(file);
		console.log(wasThere ? `Removed: ${file}` : `Nothing to remove: there is no ${file}`);
		if (wasThere && shell === "zsh") console.log("If you added its line to ~/.zshrc, remove that too.");
	});
}

export function printCompletion(name: string, _flags: object, command: Command): Promise<void> {
	return runCommand(async () => void process.stdout.write(scriptFor(shellOf(name), command)));
}

/** A script is made from the commands of the whole program. */
function scriptFor(shell: Shell, command: Command): string {
	let program = command;
	while (program.parent) program = program.parent;
	return COMPLETIONS[shell](completionTree(program));
}

/** The shell of that name, or else the user's own. */
function shellOf(name: string | undefined): Shell {
	const wanted = name ?? basename(readPlaces().variable("SHELL"));
	const shell = SHELLS.find((known) => known === wanted);
	if (shell) return shell;
	if (name !== undefined) throw new SettingError(`"${name}" is not known; choose ${SHELLS.join(", ")}`);
	throw new SettingError(`$SHELL names no shell that is known; say which one: ${SHELLS.join(", ")}`);
}
