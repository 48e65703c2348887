// Closes what a test opened, last first, whether it passed or not.
import { onTestFinished } from "vitest";

/** Registers something with a `close` (or an own way to end it) for the end of the running test. */
export function closing<T extends { close(): unknown }>(resource: T): T {
	onTestFinished(async () => {
		await resource.close();
	});
	return resource;
}

/** Repeats a check until it holds; the test's own timeout ends the wait. */
export async function until(check: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await check())) await new Promise((resolve) => setTimeout(resolve, 2));
}
