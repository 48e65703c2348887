import { describe, expect, it } from "vitest";
import { RunClocks } from "./run-clocks.ts";
import { DEFAULT_RUN_LIMITS as limits } from "./run-limits.ts";

const fresh = () => {
	const clocks = new RunClocks(limits);
	clocks.start(0);
	clocks.opened(0);
	return clocks;
};

describe("the clocks of a run", () => {
	it("call for a heartbeat every five seconds, and for one a call every three while tools run at the client", () => {
		const clocks = fresh();
		clocks.parked(0);
		const due = Array.from({ length: 10 }, (_, second) => clocks.due((second + 1) * 1000, true));
		expect(due.flatMap(({ heartbeat }, second) => (heartbeat ? [second + 1] : []))).toEqual([5, 10]);
		expect(due.flatMap(({ execHeartbeats }, second) => (execHeartbeats ? [second + 1] : []))).toEqual([3, 6, 9]);
	});

	it("tell silence, also where only heartbeats come", () => {
		const silent = fresh();
		expect(silent.due(limits.silenceMs, false).problem).toBeUndefined();
		expect(silent.due(limits.silenceMs + 1, false).problem).toBe("silent");
		const beating = fresh();
		for (let now = 0; now <= limits.heartbeatsOnlyMs; now += 5000) beating.frame(now, false);
		expect(beating.due(limits.heartbeatsOnlyMs, false).problem).toBeUndefined();
		expect(beating.due(limits.heartbeatsOnlyMs + 1, false).problem).toBe("silent");
	});

	it("stand still while a tool runs at the client, and in a pause of our own", () => {
		const clocks = fresh();
		expect(clocks.due(limits.wholeTurnMs * 2, true).problem).toBeUndefined();
		const paused = fresh();
		paused.pause(500_000);
		expect(paused.due(500_000 + limits.silenceMs, false).problem).toBeUndefined();
	});

	it("end a turn that goes on for ever", () => {
		const clocks = fresh();
		for (let now = 0; now <= limits.wholeTurnMs; now += 60_000) clocks.frame(now, true);
		expect(clocks.due(limits.wholeTurnMs + 1, false).problem).toBe("too-long");
	});
});
