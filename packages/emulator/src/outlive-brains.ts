/**
 * A brain is foreign code: what it does in a timer or in a promise that nobody awaits may fail where no turn can catch
 * it. That is told on stderr and ends nothing. For the program only: a library leaves its host's process alone.
 */
export function outliveBrains(report: (line: string) => void): void {
	process.on("uncaughtException", (error: NodeJS.ErrnoException) => {
		// Nobody reads the output any more; to report that would fail in the same way, for ever.
		if (error?.code === "EPIPE") process.exit(1);
		report(`outside of any turn: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
	});
}
