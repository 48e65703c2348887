import { expect, it } from "vitest";
import { PlanShare, type ToldPlan } from "./plan-share.ts";

it("asks once a minute, and sooner after a failure, so that nobody is refused for what is long over", async () => {
	let now = 1_000_000;
	let asked = 0;
	let isAway = true;
	const share = new PlanShare({
		now: () => now,
		readings: { poolReadings: async () => [] },
		async read(): Promise<ToldPlan> {
			asked += 1;
			if (isAway) throw new Error("away");
			return { readAt: now, pools: [{ name: "api", usedPercent: 40 }] };
		},
	});
	await share.refresh();
	now += 1_000;
	await share.refresh();
	expect([asked, share.isKnown]).toEqual([1, false]);
	isAway = false;
	now += 3_000;
	await share.refresh();
	expect([asked, share.isKnown]).toEqual([2, true]);
	for (const later of [5_000, 54_000]) {
		now += later;
		await share.refresh();
	}
	expect(asked).toBe(2);
	now += 1_000;
	await share.refresh();
	expect(asked).toBe(3);
});
