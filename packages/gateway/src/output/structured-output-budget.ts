import { createContext, Script } from "node:vm";

/** The work took more computing time than it has. */
export class OutOfTime extends Error {}
/** The work was cut off time and again, although it had computed only little: the machine is busy with other things. */
export class MachineBusy extends Error {}

/** Between two looks at the computing time that was used. */
export interface Stopwatch {
	/** Milliseconds of computing since some moment. */
	cpuMs(): number;
}

/** Clocks and accounting are rough; beyond this share the budget counts as used. */
const USED_UP = 0.8;
/** How often the work may begin anew, each time with twice the wait. */
const MOST_TRIES = 6;

const call = new Script("work()");
let sandbox: { work: (() => unknown) | undefined } | undefined;

/**
 * Does work that a stranger's data may make endless, such as a regular expression that backtracks for years: V8 ends it
 * after so many milliseconds, which nothing inside a thread can do for itself. V8 looks at the clock on the wall, which
 * on a busy machine says nothing about the work; so work that was cut off before it had its share of computing time
 * begins anew. It must have no effects. Not a sandbox in any other sense.
 */
export function withinTime<T>(milliseconds: number, work: () => T, stopwatch: Stopwatch = threadStopwatch): T {
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		const before = stopwatch.cpuMs();
		try {
			return cutOffAfter(milliseconds * 2 ** tries, work);
		} catch (error) {
			if ((error as { code?: string } | undefined)?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
			if (stopwatch.cpuMs() - before >= milliseconds * USED_UP) throw new OutOfTime();
		}
	}
	throw new MachineBusy();
}

function cutOffAfter<T>(milliseconds: number, work: () => T): T {
	sandbox ??= createContext({ work: undefined }) as NonNullable<typeof sandbox>;
	sandbox.work = work;
	try {
		return call.runInContext(sandbox, { timeout: milliseconds });
	} finally {
		sandbox.work = undefined;
	}
}

/** Of this thread where Node can tell (23.9 and later), else of the process: more than the work used, never less. */
const threadStopwatch: Stopwatch = {
	cpuMs() {
		const { threadCpuUsage = process.cpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage };
		const { user, system } = threadCpuUsage.call(process);
		return (user + system) / 1000;
	},
};
