// Loaded into a process before its own code: counts what the process makes between two orders, such as promises and
// timers. Orders come from the parent process, or from the process itself by `globalThis.turnCounter`. Counting slows the
// process down, so times are never measured with it.
import { createHook } from "node:async_hooks";
import crypto from "node:crypto";
import { EventEmitter } from "node:events";
import { Session } from "node:inspector";
import { syncBuiltinESMExports } from "node:module";
import { PerformanceObserver } from "node:perf_hooks";

const NOTHING = {
	promises: 0,
	timers: 0,
	immediates: 0,
	ticks: 0,
	listeners: 0,
	buffers: 0,
	clocks: 0,
	keys: 0,
};
const BY_TYPE = { PROMISE: "promises", Timeout: "timers", Immediate: "immediates", TickObject: "ticks" };

let counts = { ...NOTHING };
let isCounting = false;
let collections = 0;
let countedSince = 0;

const hook = createHook({
	init(_id, type) {
		const name = BY_TYPE[type];
		if (name !== undefined) counts[name]++;
	},
});
new PerformanceObserver((list) => {
	// Entries come late: that of the collection ordered below is not meant.
	collections += list.getEntries().filter(({ startTime }) => startTime > countedSince).length;
}).observe({ entryTypes: ["gc"] });

/** Counts the calls of a method. The wrapper allocates nothing, or the bytes of a turn would be those of counting. */
function countCalls(owner, names, counted) {
	for (const name of names) {
		const original = owner[name];
		owner[name] = function (first, second, third) {
			if (isCounting) counts[counted]++;
			return original.call(this, first, second, third);
		};
	}
}

countCalls(EventEmitter.prototype, ["on", "once", "prependListener", "prependOnceListener"], "listeners");
EventEmitter.prototype.addListener = EventEmitter.prototype.on;
countCalls(Buffer, ["from"], "buffers");
countCalls(Date, ["now"], "clocks");
countCalls(performance, ["now"], "clocks");
countCalls(crypto, ["timingSafeEqual"], "keys");
syncBuiltinESMExports();

const allocated = () => {
	const { heapUsed, arrayBuffers } = process.memoryUsage();
	return heapUsed + arrayBuffers;
};
let before = 0;

const inspector = new Session();
inspector.connect();
/** Every allocation is a sample, and those that are collected meanwhile count too. */
const EVERY_OBJECT = {
	samplingInterval: 1,
	includeObjectsCollectedByMajorGC: true,
	includeObjectsCollectedByMinorGC: true,
};

/** The answer to a command of the heap profiler, which comes at once. */
function heapProfiler(command, options) {
	let answer;
	inspector.post(`HeapProfiler.${command}`, options, (error, result) => {
		if (error) throw new Error(error.message);
		answer = result;
	});
	return answer;
}

/** `bytes`: what is allocated is only known while nothing is collected, and counting allocates too. */
const ORDERS = {
	count() {
		counts = { ...NOTHING };
		isCounting = true;
		hook.enable();
	},
	counted() {
		hook.disable();
		isCounting = false;
		return counts;
	},
	bytes() {
		globalThis.gc();
		collections = 0;
		countedSince = performance.now();
		before = allocated();
	},
	allocated: () => ({ bytes: allocated() - before, collections }),
	objects: () => heapProfiler("startSampling", EVERY_OBJECT),
	objectsMade: () => ({ objects: heapProfiler("stopSampling").profile.samples.length }),
	places: () => heapProfiler("stopSampling").profile.head,
};

globalThis.turnCounter = ORDERS;
process.on("message", (order) => process.send(ORDERS[order]() ?? {}));
// This channel must not keep the process running.
process.channel?.unref();
