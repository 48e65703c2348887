import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { GatewayError } from "../../turn/error.ts";
import { type Attempt, Breaker, type BreakerState, DEFAULT_BREAKER_LIMITS, type Pause } from "./breaker.ts";

const { strikes, window, firstPauseMs, longestPauseMs } = DEFAULT_BREAKER_LIMITS;
const RESET = new GatewayError("upstream-reset");

function start() {
	const clock = new ManualClock();
	const states: BreakerState[] = [];
	const breaker = new Breaker(DEFAULT_BREAKER_LIMITS, clock, (state) => states.push(state));
	const enter = () => {
		const entered = breaker.enter();
		expect(entered, "it is closed, or a probe is due").not.toHaveProperty("waitMs");
		return entered as Attempt;
	};
	const pause = () => {
		const entered = breaker.enter();
		expect(entered, "it lets nothing pass").toHaveProperty("waitMs");
		return entered as Pause;
	};
	const fail = (times = 1) => {
		for (let count = 0; count < times; count++) enter().failed(RESET);
	};
	return { clock, states, breaker, enter, pause, fail };
}

describe("a closed breaker", () => {
	it("opens after some failures in a row, and not before", () => {
		const { breaker, fail, pause } = start();
		fail(strikes - 1);
		expect(breaker.state).toBe("closed");
		fail();
		expect(breaker.state).toBe("open");
		expect(pause()).toEqual({ waitMs: firstPauseMs, isLasting: false, cause: RESET });
	});

	it("begins to count anew after a success", () => {
		const { breaker, enter, fail } = start();
		fail(strikes - 1);
		enter().succeeded();
		fail(strikes - 1);
		expect(breaker.state).toBe("closed");
	});

	it("counts attempts that fail together as one failure", () => {
		const { breaker, enter } = start();
		for (let round = 1; round <= strikes; round++) {
			expect(breaker.state).toBe("closed");
			const attempts = Array.from({ length: 10 }, enter);
			for (const attempt of attempts) attempt.failed(RESET);
			expect(breaker.strikes).toBe(round);
		}
		expect(breaker.state).toBe("open");
	});

	it("is not calmed by the success of what began before the failures", () => {
		const { breaker, enter, fail } = start();
		const early = enter();
		fail(strikes - 1);
		early.succeeded();
		fail();
		expect(breaker.state).toBe("open");
	});

	it("opens when half of the attempts fail", () => {
		const { breaker, enter, fail } = start();
		for (let count = 1; count < window / 2; count++) {
			enter().succeeded();
			fail();
			expect(breaker.state).toBe("closed");
		}
		enter().succeeded();
		fail();
		expect(breaker.state).toBe("open");
	});

	it("stays closed when a third of them fail", () => {
		const { breaker, enter, fail } = start();
		for (let count = 0; count < 50; count++) {
			enter().succeeded();
			enter().succeeded();
			fail();
		}
		expect(breaker.state).toBe("closed");
	});

	it("does not open because clients leave", () => {
		const { breaker, enter } = start();
		for (let count = 0; count < 50; count++) enter().left();
		expect(breaker).toMatchObject({ state: "closed", strikes: 0 });
	});

	it("takes the first word about an attempt", () => {
		const { breaker, enter } = start();
		for (let count = 0; count < 2 * strikes; count++) {
			const attempt = enter();
			attempt.left();
			attempt.failed(RESET);
			attempt.succeeded();
		}
		expect(breaker).toMatchObject({ state: "closed", strikes: 0 });
	});
});

describe("an open breaker", () => {
	it("lets one probe pass when the pause is over, and nothing else meanwhile", () => {
		const { clock, breaker, fail, enter, pause, states } = start();
		fail(strikes);
		clock.advance(firstPauseMs - 1);
		expect(pause().waitMs).toBe(1);
		clock.advance(1);
		const probe = enter();
		expect(breaker.state).toBe("half-open");
		expect(pause().waitMs).toBe(firstPauseMs);
		probe.succeeded();
		expect(breaker.state).toBe("closed");
		expect(states).toEqual(["open", "half-open", "closed"]);
		fail(strikes - 1);
		expect(breaker.state, "a success begins everything anew").toBe("closed");
	});

	it("waits twice as long after each probe that fails, up to a limit, and says that it lasts", () => {
		const { clock, fail, pause } = start();
		fail(strikes);
		const waits = [5_000, 10_000, 20_000, 40_000, longestPauseMs, longestPauseMs].map((expected, round) => {
			const { waitMs, isLasting } = pause();
			expect(isLasting).toBe(round > 0);
			clock.advance(expected);
			fail();
			return waitMs;
		});
		expect(waits).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
	});

	it("closes as soon as a probe is answered, but opens at the next failure", () => {
		const { clock, breaker, fail, enter, pause } = start();
		fail(strikes);
		clock.advance(firstPauseMs);
		const probe = enter();
		probe.answering();
		expect(breaker.state).toBe("closed");
		enter().left();
		probe.failed(RESET);
		expect(breaker.state).toBe("open");
		expect(pause()).toMatchObject({ waitMs: 2 * firstPauseMs, isLasting: true });
	});

	it("makes the next attempt the probe when the client of the first one left", () => {
		const { clock, breaker, fail, enter } = start();
		fail(strikes);
		clock.advance(firstPauseMs);
		enter().left();
		expect(breaker.state).toBe("open");
		enter().succeeded();
		expect(breaker.state).toBe("closed");
	});

	it("does not wait for ever for a probe that is never heard of again", () => {
		const { clock, fail, enter, pause } = start();
		fail(strikes);
		clock.advance(firstPauseMs);
		enter();
		clock.advance(longestPauseMs - 1);
		pause();
		clock.advance(1);
		enter();
	});

	it("is neither closed nor kept open by what had begun before", () => {
		const { clock, breaker, fail, enter, pause } = start();
		const [one, other] = [enter(), enter()];
		fail(strikes);
		one.succeeded();
		expect(breaker.state).toBe("open");
		clock.advance(firstPauseMs - 1);
		other.failed(RESET);
		expect(pause().waitMs).toBe(1);
	});
});
