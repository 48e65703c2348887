// The `cursorwire` program in a terminal: `script` of util-linux gives it one, and passes on what is typed.
import { type Started, startProgram } from "./program.ts";

/** Where `script` takes the options that are used here. */
export const HAS_TERMINAL = process.platform === "linux";

const IN_TERMINAL = `
RUN=
for word in "$@"; do RUN="$RUN '$word'"; done
export RUN
[ -n "$NO_COLOR" ] || unset NO_COLOR
exec script -qfec 'stty cols "$WIDE" rows "$HIGH"; eval exec $RUN' /dev/null`;

export interface TerminalSize {
	columns?: number;
	rows?: number;
}

/** Standard output and standard error are the terminal; both are read from `out`. No word may contain a quote. */
export function startInTerminal(
	args: string[],
	env: Record<string, string> = {},
	{ columns = 160, rows = 40 }: TerminalSize = {},
): Started {
	const size = { WIDE: String(columns), HIGH: String(rows) };
	const terminal = { TERM: "xterm-256color", SHELL: "/bin/sh", ...size };
	return startProgram(args, { ...terminal, ...env }, { under: ["sh", "-c", IN_TERMINAL, "sh"] });
}
