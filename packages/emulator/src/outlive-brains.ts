/**
 * Keeps the program running when a brain fails outside of a turn, in a timer or in a promise that nothing awaits; the
 * error is only reported. Not for use as a library, which must not change how its host handles errors.
 */
export function outliveBrains(report: (line: string) => void): void {
	// When stdout or stderr is closed, reporting that error would cause it again.
	for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
	process.on("uncaughtException", (error) => {
		report(`outside of any turn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	});
}
