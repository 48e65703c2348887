import { expect, it } from "vitest";
import { poolCost } from "./pool-cost.ts";

it("says what became of each pool, or that it is not known", () => {
	const before = [
		{ name: "auto" as const, usedPercent: 10 },
		{ name: "api" as const, usedPercent: 50, usedCents: 1000 },
	];
	const after = [
		{ name: "auto" as const, usedPercent: 12 },
		{ name: "api" as const, usedPercent: 55, usedCents: 1100 },
	];
	const [auto, api] = poolCost(before, after);
	expect(auto!.text).toMatch(/^2\s%/);
	expect(api!.text).toMatch(/^5\s%.*1[.,]00/);
	expect(poolCost([], after)[0]!.text).toBe("not known");
});
