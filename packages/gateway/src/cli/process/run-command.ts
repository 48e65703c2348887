import { GatewayError } from "../../turn/error.ts";
import { describeFailure } from "./failure.ts";

/**
 * Runs a command for a person: Ctrl-C aborts the signal, and whatever is thrown becomes one line and an exit code,
 * never a stack trace. A second Ctrl-C ends the process at once.
 */
export async function runCommand(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
	const interrupt = new AbortController();
	const onInterrupt = () => interrupt.abort();
	process.once("SIGINT", onInterrupt);
	// Timers of the gateway's clock do not keep a process alive, and the command may be waiting for nothing else.
	const alive = setInterval(() => {}, 60_000);
	try {
		await work(interrupt.signal);
	} catch (error) {
		const { line, code } = describeFailure(error);
		console.error(line);
		process.exitCode = code;
	} finally {
		clearInterval(alive);
		process.removeListener("SIGINT", onInterrupt);
	}
}

/** The result of something that cannot be cancelled itself, unless Ctrl-C comes first. */
export async function unlessInterrupted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
	let stop = () => {};
	const interrupted = new Promise<never>((_, reject) => {
		stop = () => reject(new GatewayError("cancelled"));
	});
	if (signal.aborted) stop();
	signal.addEventListener("abort", stop);
	try {
		return await Promise.race([work, interrupted]);
	} finally {
		signal.removeEventListener("abort", stop);
	}
}
