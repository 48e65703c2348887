import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { delay } from "./delay-line.ts";

describe("delays of one length", () => {
	it("happen when a timer of their own would, or not at all", () => {
		const step = fc.record({
			wait: fc.nat(30),
			ms: fc.constantFrom(10, 25),
			// Between two steps of the clock: what happens first at one moment does not matter.
			cancelAfter: fc.option(
				fc.nat(40).map((ms) => ms + 0.5),
				{ nil: undefined },
			),
		});
		fc.assert(
			fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
				const [clock, plain] = [new ManualClock(), new ManualClock()];
				const happened: [string, number][] = [];
				const expected: [string, number][] = [];
				for (const [index, { wait, ms, cancelAfter }] of steps.entries()) {
					const name = `${index}`;
					const delayed = delay(clock, ms, () => happened.push([name, clock.now()]));
					const cancel = plain.after(ms, () => expected.push([name, plain.now()]));
					if (cancelAfter !== undefined) {
						clock.after(cancelAfter, () => delayed.cancel());
						plain.after(cancelAfter, cancel);
					}
					for (const each of [clock, plain]) each.advance(wait);
				}
				for (const each of [clock, plain]) each.advance(100);
				expect(new Map(happened)).toEqual(new Map(expected));
				expect(happened).toHaveLength(expected.length);
			}),
			{ numRuns: 500 },
		);
	});

	it("share a timer, and leave none behind", () => {
		const clock = new ManualClock();
		const delays = Array.from({ length: 1_000 }, () => delay(clock, 50, () => {}));
		expect(clock.armed).toBe(1);
		for (const each of delays) each.cancel();
		expect(clock.armed).toBe(0);
	});

	it("are not late because one before them began another", () => {
		const clock = new ManualClock();
		const happened: number[] = [];
		delay(clock, 10, () => delay(clock, 10, () => {}));
		clock.advance(5);
		delay(clock, 10, () => happened.push(clock.now()));
		clock.advance(100);
		expect(happened).toEqual([15]);
	});

	it("may begin another one", () => {
		const clock = new ManualClock();
		let count = 0;
		const again = () => {
			count += 1;
			delay(clock, 10, again);
		};
		delay(clock, 10, again);
		clock.advance(45);
		expect(count).toBe(4);
	});

	it("that throw do not keep others from happening", async () => {
		const clock = new ManualClock();
		const warned = once(process, "warning");
		let isReached = false;
		delay(clock, 10, () => {
			throw new Error("thrown in a delay");
		});
		delay(clock, 10, () => {
			isReached = true;
		});
		clock.advance(10);
		expect(isReached).toBe(true);
		expect(((await warned)[0] as Error).message).toBe("thrown in a delay");
	});
});
