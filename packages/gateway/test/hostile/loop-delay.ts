// Whether the gateway, which shares this process, stopped for long.
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect } from "vitest";

/** Far beyond what any single request may cost, and above what a busy machine adds. */
const LONGEST_MS = 2_000;

/** Runs the work and expects that other requests were never kept waiting for long by it. */
export async function expectSmallPauses<T>(work: () => Promise<T>): Promise<T> {
	const delay = monitorEventLoopDelay({ resolution: 5 });
	delay.enable();
	const result = await work();
	delay.disable();
	expect(delay.max / 1e6).toBeLessThan(LONGEST_MS);
	return result;
}
