import { describeFailure } from "./failure.ts";

let drain: (() => Promise<void>) | undefined;

/** Sets what has to finish before a bug ends the process. Returns a function that unsets it. */
export function drainBeforeFatal(work: () => Promise<void>): () => void {
	drain = work;
	return () => {
		drain = undefined;
	};
}

/**
 * An error was not caught, so the state of the process can no longer be trusted: it reports the error and ends.
 * Responses that are under way may finish first. A second such error ends the process at once.
 */
export function endByMistake(error: unknown): void {
	const { line, code } = describeFailure(error);
	console.error(line);
	const work = drain;
	drain = undefined;
	if (!work) process.exit(code);
	const end = () => process.exit(code);
	work().then(end, end);
}
