import { createContext, Script } from "node:vm";

/** The work used up its computing time. */
export class OutOfTime extends Error {}
/** The work was interrupted every time although it had computed little: the machine is too busy. */
export class MachineBusy extends Error {}

/** Measures computing time. */
export interface Stopwatch {
	/** Milliseconds of computing time since some fixed moment. */
	cpuMs(): number;
}

/** Time measurement is imprecise, so the budget counts as used up from this share on. */
const USED_UP = 0.8;
/** How often the work is started, each time with twice as long a timeout. */
const MOST_TRIES = 6;

const call = new Script("work()");
let sandbox: { work: (() => unknown) | undefined } | undefined;

/**
 * Does work that untrusted data may make endless, such as a regular expression that backtracks for years. V8 stops it
 * after a timeout, which a thread cannot do for itself. The timeout is in wall-clock time, which says little about the
 * work on a busy machine, so work that was interrupted before it had its computing time is started again. It must have
 * no side effects. This is not a security sandbox.
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

/** The time of this thread if Node can tell it (23.9 and later), else of the process, which is never less. */
const threadStopwatch: Stopwatch = {
	cpuMs() {
		const { threadCpuUsage = process.cpuUsage } = process as { threadCpuUsage?: typeof process.cpuUsage };
		const { user, system } = threadCpuUsage.call(process);
		return (user + system) / 1000;
	},
};
