/**
 * A brain is foreign code: what it does in a timer or in a promise that nobody awaits may fail where no turn can catch
 * it. That is told on stderr and ends nothing. For the program only: a library leaves its host's process alone.
 */
export function outliveBrains(report: (line: string) => void): void {
	// Where nobody reads the output any more, a report of that would fail in the same way, for ever.
	for (const output of [process.stdout, process.stderr]) output.on("error", () => {});
	process.on("uncaughtException", (error) => {
		report(`outside of any turn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	});
}
