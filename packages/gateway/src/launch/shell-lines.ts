import type { Variables } from "./launch-client.ts";

/** How a shell sets a variable, and removes one. */
interface Syntax {
	set(name: string, value: string): string;
	unset(name: string): string;
}

const POSIX: Syntax = {
	set: (name, value) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`,
	unset: (name) => `unset ${name}`,
};

const SYNTAXES = {
	sh: POSIX,
	bash: POSIX,
	zsh: POSIX,
	fish: {
		set: (name, value) => `set -gx ${name} '${value.replaceAll(/['\\]/g, "\\$&")}'`,
		unset: (name) => `set -e ${name}`,
	},
	powershell: {
		set: (name, value) => `$env:${name} = '${value.replaceAll(/['‘’‚‛]/g, "$&$&")}'`,
		unset: (name) => `Remove-Item Env:${name} -ErrorAction SilentlyContinue`,
	},
} as const satisfies Record<string, Syntax>;

export type ShellName = keyof typeof SYNTAXES;

export const SHELLS = Object.keys(SYNTAXES) as ShellName[];

/** The lines that set these variables in a shell. A value with a line break is given as it is, inside its quotes. */
export function shellLines(variables: Variables, shell: ShellName): string {
	const { set, unset }: Syntax = SYNTAXES[shell];
	const lines = Object.entries(variables).map(([name, value]) =>
		// PowerShell removes a variable that is set to nothing, which is as good.
		value === undefined ? unset(name) : set(name, value),
	);
	return lines.map((line) => `${line}\n`).join("");
}
