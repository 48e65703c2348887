// Loaded into the gateway before its own code: reports the longest pause of its event loop, and how much processor time
// the loop's thread used in it. On a busy machine the second figure is the gateway's share of the pause.
import { readFileSync } from "node:fs";

const TICK_MILLISECONDS = 2;
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;

/** Processor time of this thread in milliseconds; NaN if the system does not report it. */
function cpuMilliseconds() {
	try {
		return Number(readFileSync(SCHEDSTAT, "latin1").split(" ", 1)[0]) / 1e6;
	} catch {
		return Number.NaN;
	}
}

let last = performance.now();
let lastCpu = cpuMilliseconds();
let longest = { pause: 0, cpu: 0 };

setInterval(() => {
	const now = performance.now();
	const cpu = cpuMilliseconds();
	longest.pause = Math.max(longest.pause, now - last - TICK_MILLISECONDS);
	longest.cpu = Math.max(longest.cpu, cpu - lastCpu);
	last = now;
	lastCpu = cpu;
}, TICK_MILLISECONDS).unref();

process.on("message", () => {
	process.send(longest);
	longest = { pause: 0, cpu: 0 };
});
// This channel must not keep the gateway running.
process.channel.unref();
