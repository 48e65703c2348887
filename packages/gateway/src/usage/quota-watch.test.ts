import { expect, it } from "vitest";
import { until } from "../../test/kit/cleanup.ts";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import type { PoolReading } from "../store/pool-readings.ts";
import type { AccountQuota } from "../upstream/account/quota.ts";
import { QuotaWatch } from "./quota-watch.ts";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 15, 12);
const RESET = new Date(START + 10 * 86_400_000);

function setUp() {
	const clock = new ManualClock();
	const time = { at: START };
	const readings: PoolReading[] = [];
	const asked: { poolsOnly: boolean; answer(changes?: Partial<AccountQuota>): void; fail(): void }[] = [];
	const watch = new QuotaWatch({
		ask: (poolsOnly) =>
			new Promise<AccountQuota>((resolve, reject) =>
				asked.push({
					poolsOnly,
					answer: (changes = {}) => resolve({ ...QUOTA, ...changes }),
					fail: () => reject(new Error("away")),
				}),
			),
		readings: { addPoolReading: async (reading) => void readings.push(reading) },
		warn: (what) => expect.unreachable(what),
		now: () => time.at,
		clock,
	});
	return { clock, time, readings, asked, watch };
}

const QUOTA: AccountQuota = {
	plan: "Pro",
	email: "ada@example.test",
	pools: [
		{ name: "auto", usedPercent: 20, usedCents: 400, limitCents: 2000 },
		{ name: "api", usedPercent: undefined },
	],
	periodStart: undefined,
	resetsAt: RESET,
	message: undefined,
	autoModels: ["composer"],
};

it("asks once a minute, however many want to know, and keeps what Cursor said of each pool", async () => {
	const { watch, asked, readings, time } = setUp();
	const both = Promise.all([watch.read(), watch.read()]);
	asked[0]!.answer();
	const [quota] = await both;
	expect(quota).toMatchObject({ readAt: START, plan: "Pro", resetsAt: RESET.getTime() });
	expect(quota).not.toHaveProperty("periodStart");
	time.at += MINUTE;
	expect(await watch.read()).toBe(quota);
	expect(watch.last).toBe(quota);
	expect(asked).toHaveLength(1);
	expect(readings).toEqual([
		{ at: START, pool: "auto", usedPercent: 20, usedCents: 400, limitCents: 2000, resetsAt: RESET.getTime() },
	]);
	time.at += 1;
	const later = watch.read();
	asked[1]!.answer({ pools: [] });
	expect((await later).pools).toEqual([]);
});

it("asks once more for who wants to know it after a turn, and once only", async () => {
	const { watch, asked, time } = setUp();
	const first = watch.read(START);
	asked[0]!.answer();
	await first;
	time.at += 1_000;
	const after = START + 500;
	const second = watch.read(after);
	asked[1]!.answer({ pools: [] });
	expect((await second).pools).toEqual([]);
	await watch.read(after);
	await watch.read();
	expect(asked).toHaveLength(2);
});

it("does not ask again at once after a failure, and says what it knew before", async () => {
	const { watch, asked, time } = setUp();
	const first = watch.read();
	asked[0]!.answer();
	const known = await first;
	time.at += 2 * MINUTE;
	const second = watch.read();
	asked[1]!.fail();
	await expect(second).rejects.toThrow("away");
	await expect(watch.read()).rejects.toThrow("away");
	expect(asked).toHaveLength(2);
	expect(watch.last).toBe(known);
	time.at += 10_001;
	const third = watch.read();
	asked[2]!.answer();
	expect((await third).readAt).toBe(time.at);
});

it("lets nobody wait long, and has what came too late for the next one", async () => {
	const { watch, asked, clock } = setUp();
	const first = watch.read();
	clock.advance(3_000);
	await expect(first).rejects.toThrow("takes too long");
	asked[0]!.answer();
	expect((await watch.read()).plan).toBe("Pro");
	expect(asked).toHaveLength(1);
});

it("reads by itself when a turn ends, every half hour, and not in its first minute", async () => {
	const { watch, asked, time } = setUp();
	watch.turnEnded();
	expect(asked).toHaveLength(0);
	time.at += MINUTE;
	watch.turnEnded();
	expect(asked).toHaveLength(1);
	asked[0]!.fail();
	time.at += 29 * MINUTE;
	watch.turnEnded();
	expect(asked).toHaveLength(1);
	time.at += MINUTE;
	watch.turnEnded();
	watch.turnEnded();
	expect(asked).toHaveLength(2);
});

it("asks for the pools alone by itself, keeps the plan it knew, and asks for all when somebody looks", async () => {
	const { watch, asked, time } = setUp();
	const first = watch.read();
	asked[0]!.answer();
	await first;
	time.at += 31 * MINUTE;
	watch.turnEnded();
	asked[1]!.answer({ plan: undefined, email: undefined });
	await until(() => watch.last?.readAt === time.at);
	expect(watch.last).toMatchObject({ plan: "Pro", email: "ada@example.test" });
	const looked = watch.read();
	asked[2]!.answer({ plan: "Ultra" });
	expect((await looked).plan).toBe("Ultra");
	expect(asked.map(({ poolsOnly }) => poolsOnly)).toEqual([false, true, false]);
});

it("does not read by itself soon after somebody else wanted to know", async () => {
	const { watch, asked, time } = setUp();
	time.at += 10 * MINUTE;
	const read = watch.read();
	asked[0]!.answer();
	await read;
	time.at += 29 * MINUTE;
	watch.turnEnded();
	expect(asked).toHaveLength(1);
});
