import { createContext, Script } from "node:vm";

/** The work was not done in its time. */
export class OutOfTime extends Error {}

const call = new Script("work()");
let sandbox: { work: (() => unknown) | undefined } | undefined;

/**
 * Does work that a stranger's data may make endless, such as a regular expression that backtracks for years: V8 ends it
 * after so many milliseconds, which nothing inside a thread can do for itself. Not a sandbox in any other sense.
 */
export function withinTime<T>(milliseconds: number, work: () => T): T {
	sandbox ??= createContext({ work: undefined }) as NonNullable<typeof sandbox>;
	sandbox.work = work;
	try {
		return call.runInContext(sandbox, { timeout: milliseconds });
	} catch (error) {
		if ((error as { code?: string } | undefined)?.code === "ERR_SCRIPT_EXECUTION_TIMEOUT") throw new OutOfTime();
		throw error;
	} finally {
		sandbox.work = undefined;
	}
}
