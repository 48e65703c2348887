import { describeFailure } from "./failure.ts";

let drain: (() => Promise<void>) | undefined;

/** What is to be brought to an end before a mistake ends the process. Returns the function that takes it back. */
export function drainBeforeFatal(work: () => Promise<void>): () => void {
	drain = work;
	return () => {
		drain = undefined;
	};
}

/**
 * Something was thrown that nobody caught, so nobody knows what is still right: the process says so and ends. Answers
 * that are under way may end first. A second such mistake ends it at once.
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
