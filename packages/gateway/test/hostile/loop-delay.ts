// Whether the gateway, which shares this process, stopped for long.
import { readFileSync } from "node:fs";
import { expect } from "vitest";

/** Far beyond what any single request may cost. */
const LONGEST_MS = 1_000;
const TICK_MS = 2;

/** Runs the work and expects that other requests were never kept waiting for long by it. */
export async function expectSmallPauses<T>(work: () => Promise<T>): Promise<T> {
	const { result, pause } = await longestPause(work);
	expect(pause).toBeLessThan(LONGEST_MS);
	return result;
}

/**
 * The longest stretch of work in which the event loop did nothing else, in milliseconds of processor time of its thread:
 * what other programs take from a busy machine does not count.
 */
export async function longestPause<T>(work: () => Promise<T>): Promise<{ result: T; pause: number }> {
	let last = threadMs();
	let pause = 0;
	const look = () => {
		const now = threadMs();
		pause = Math.max(pause, now - last);
		last = now;
	};
	const ticking = setInterval(look, TICK_MS);
	const result = await work().finally(() => clearInterval(ticking));
	look();
	return { result, pause };
}

/** Processor time of this thread; where the system does not tell, the time itself. */
export function threadMs(): number {
	try {
		return Number(readFileSync("/proc/thread-self/schedstat", "latin1").split(" ", 1)[0]) / 1e6;
	} catch {
		return performance.now();
	}
}
