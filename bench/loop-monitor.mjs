// Loaded into the gateway before its own code: reports the longest stretch in which its event loop did nothing else, and
// how much of the processor the loop's thread had in it. On a busy machine the second says what the gateway is to blame for.
import { readFileSync } from "node:fs";

const TICK_MILLISECONDS = 2;
const SCHEDSTAT = `/proc/self/task/${process.pid}/schedstat`;

/** Milliseconds of processor time of this thread; NaN where the system does not tell. */
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
// The gateway decides when it ends, not this channel.
process.channel.unref();
