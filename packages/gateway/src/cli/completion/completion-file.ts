import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Places } from "../../config/places.ts";
import { SettingError } from "../../config/settings.ts";
import type { Shell } from "./completion-scripts.ts";

/** Where each shell finds completions of a user without a change to its settings; zsh has no such place. */
const FILES: Readonly<Record<Shell, (places: Places) => string>> = {
	bash: ({ variable, ...places }) =>
		join(
			variable("BASH_COMPLETION_USER_DIR") || join(dataHome({ variable, ...places }), "bash-completion"),
			"completions",
			"cursorwire",
		),
	zsh: (places) => join(dataHome(places), "zsh", "site-functions", "_cursorwire"),
	fish: ({ home, variable }) =>
		join(variable("XDG_CONFIG_HOME") || join(home, ".config"), "fish", "completions", "cursorwire.fish"),
};

const dataHome = ({ home, variable }: Places): string => variable("XDG_DATA_HOME") || join(home, ".local", "share");

export const completionFile = (shell: Shell, places: Places): string => FILES[shell](places);

/** What every script says in its first two lines. */
const OURS = /^(?:#compdef cursorwire\n)?# (?:bash|zsh|fish) completion for cursorwire\n/;

export function writeCompletion(file: string, script: string): void {
	refuseForeign(file);
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, script);
}

/** Returns false if there was none. */
export function removeCompletion(file: string): boolean {
	if (!existsSync(file)) return false;
	refuseForeign(file);
	rmSync(file);
	return true;
}

function refuseForeign(file: string): void {
	if (!existsSync(file) || OURS.test(readFileSync(file, "utf8"))) return;
	throw new SettingError(
		`${file} was not written by cursorwire; move it away, or print the script with \`cursorwire completion <shell>\``,
	);
}

/** Where systems and package managers put bash-completion, which loads the files of its folder. */
const BASH_COMPLETION = ["/usr", "/usr/local", "/opt/homebrew", "/opt/local"].map(
	(prefix) => `${prefix}/share/bash-completion/bash_completion`,
);

/** What the user has to do so that it works. */
export function stepAfterInstall(shell: Shell, file: string): string {
	const needsLine = { bash: !BASH_COMPLETION.some(existsSync), zsh: true, fish: false }[shell];
	if (!needsLine) return "It works in every new shell.";
	const why =
		shell === "bash" ? "the package bash-completion is not installed here" : "zsh looks in no folder of the user";
	return `Add this line to the end of ~/.${shell}rc (${why}), and it works in every new shell:\n\nsource "${file}"\n`;
}
