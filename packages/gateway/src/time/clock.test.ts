import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { systemClock } from "./clock.ts";

describe("systemClock", () => {
	it("turns an exception of a timer callback into a warning", async () => {
		const warned = once(process, "warning");
		const mistake = new Error("thrown in a timer");
		systemClock.after(1, () => {
			throw mistake;
		});
		expect((await warned)[0]).toBe(mistake);
	});

	it("does not call a cancelled callback", async () => {
		let runs = 0;
		const cancel = systemClock.after(1, () => runs++);
		cancel();
		await new Promise<void>((resolve) => {
			systemClock.after(20, resolve);
			// Our timers do not keep the process alive, and here nothing else does.
			setTimeout(resolve, 1000);
		});
		expect(runs).toBe(0);
	});
});
