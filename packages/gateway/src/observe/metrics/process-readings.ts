import { readdirSync } from "node:fs";
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks";
import type { Readings } from "./registry.ts";

const RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;

/** What the process uses, and how late its event loop is. The latter is measured from the first reading on. */
export class ProcessReadings {
	#delay: IntervalHistogram | undefined;

	read(): Readings {
		const { user, system } = process.cpuUsage();
		const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
		const openFiles = countOpenFiles();
		return {
			process_cpu_user_seconds_total: [{ value: user / 1e6 }],
			process_cpu_system_seconds_total: [{ value: system / 1e6 }],
			process_cpu_seconds_total: [{ value: (user + system) / 1e6 }],
			process_start_time_seconds: [{ value: performance.timeOrigin / 1000 }],
			process_resident_memory_bytes: [{ value: rss }],
			process_heap_bytes: [{ value: heapTotal }],
			process_heap_used_bytes: [{ value: heapUsed }],
			process_external_memory_bytes: [{ value: external }],
			...(openFiles !== undefined && { process_open_fds: [{ value: openFiles }] }),
			...this.#eventLoop(),
		};
	}

	close(): void {
		this.#delay?.disable();
		this.#delay = undefined;
	}

	#eventLoop(): Readings {
		if (!this.#delay) {
			this.#delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
			this.#delay.enable();
		}
		const delay = this.#delay;
		// Nothing was measured yet.
		if (!(delay.mean > 0)) return {};
		const readings: Readings = {
			nodejs_eventloop_lag_mean_seconds: [{ value: late(delay.mean) }],
			nodejs_eventloop_lag_p50_seconds: [{ value: late(delay.percentile(50)) }],
			nodejs_eventloop_lag_p99_seconds: [{ value: late(delay.percentile(99)) }],
			nodejs_eventloop_lag_max_seconds: [{ value: late(delay.max) }],
		};
		delay.reset();
		return readings;
	}
}

/** Node measures the time between two ticks of a timer, which is never shorter than the timer's own. */
const late = (nanoseconds: number): number => Math.max(0, nanoseconds / NANOSECONDS - RESOLUTION_MS / 1000);

/** Undefined where the system has no list of them. */
function countOpenFiles(): number | undefined {
	try {
		// Reading the list opens one more.
		return readdirSync("/proc/self/fd").length - 1;
	} catch {
		return undefined;
	}
}
