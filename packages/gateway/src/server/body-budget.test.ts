import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import type { CapacityUser } from "../access/capacity.ts";
import type { GatewayError } from "../turn/error.ts";
import { BodyBudget, type BodyRoom } from "./body-budget.ts";

const LIMITS = {
	smallBytes: 10,
	small: { total: 100, perCaller: 50 },
	large: { total: 300, perCaller: 200, guests: 250 },
	waiting: { total: 5, perCaller: 3 },
	waitMs: 1000,
};
const OWNER: CapacityUser = { id: "owner", kind: "key" };
const OTHER: CapacityUser = { id: "other", kind: "key" };

function setUp() {
	const clock = new ManualClock();
	return { clock, budget: new BodyBudget(LIMITS, clock) };
}

/** "granted", "waiting", or the status and seconds of the refusal. */
async function stateOf(room: BodyRoom): Promise<unknown> {
	const refused = ({ status, retryAfterSeconds }: GatewayError) => [status, retryAfterSeconds];
	const later = new Promise((resolve) => setImmediate(() => resolve("waiting")));
	return Promise.race([Promise.resolve(room.granted).then(() => "granted", refused), later]);
}

describe("room for a body", () => {
	it("is given at once where there is some, and again when it came back", async () => {
		const { budget } = setUp();
		const [first, second] = [budget.reserve(OWNER, 150), budget.reserve(OWNER, 150)];
		expect([await stateOf(first), await stateOf(second)]).toEqual(["granted", "waiting"]);
		first.release();
		first.release();
		expect(await stateOf(second)).toBe("granted");
		expect(budget.reserved).toBe(150);
	});

	it("is refused after a while: with 429 where the caller's own share is used up, else with 503", async () => {
		const { budget, clock } = setUp();
		budget.reserve(OWNER, 200);
		const own = budget.reserve(OWNER, 100);
		const others = budget.reserve(OTHER, 150);
		clock.advance(999);
		expect([await stateOf(own), await stateOf(others)]).toEqual(["waiting", "waiting"]);
		clock.advance(1);
		expect([await stateOf(own), await stateOf(others)]).toEqual([
			[429, 2],
			[503, 2],
		]);
		expect(budget.reserved).toBe(200);
	});

	it("is waited for longer while others get theirs", async () => {
		const { budget, clock } = setUp();
		const rooms = [1, 2, 3].map(() => budget.reserve(OWNER, 150));
		clock.advance(900);
		rooms[0]!.release();
		clock.advance(900);
		expect(await Promise.all(rooms.map(stateOf))).toEqual(["granted", "granted", "waiting"]);
		rooms[1]!.release();
		expect(await stateOf(rooms[2]!)).toBe("granted");
		const stuck = budget.reserve(OWNER, 150);
		clock.advance(1000);
		expect(await stateOf(stuck)).toEqual([429, 2]);
	});

	it("is refused at once where too many wait already", async () => {
		const { budget } = setUp();
		budget.reserve(OWNER, 200);
		const waiting = [1, 2, 3].map(() => budget.reserve(OWNER, 100));
		expect(await Promise.all(waiting.map(stateOf))).toEqual(["waiting", "waiting", "waiting"]);
		expect(await stateOf(budget.reserve(OWNER, 100))).toEqual([429, 2]);
	});

	it("is there for small bodies, whoever holds large ones", async () => {
		const { budget } = setUp();
		for (const size of [200, 200, 200, 200]) budget.reserve(OWNER, size);
		budget.reserve(OTHER, 100);
		expect(await stateOf(budget.reserve(OWNER, 10))).toBe("granted");
	});

	it("is never all taken by guests", async () => {
		const { budget } = setUp();
		const guest = (id: string): CapacityUser => ({ id, kind: "credential" });
		expect(await stateOf(budget.reserve(guest("a"), 200))).toBe("granted");
		expect(await stateOf(budget.reserve(guest("b"), 51))).toBe("waiting");
		expect(await stateOf(budget.reserve(guest("c"), 20))).toBe("waiting");
		expect(await stateOf(budget.reserve(OWNER, 100))).toBe("granted");
	});

	it("is not waited for by those who have left", async () => {
		const { budget } = setUp();
		const held = budget.reserve(OWNER, 200);
		const [left, next] = [budget.reserve(OWNER, 150), budget.reserve(OWNER, 50)];
		left.release();
		expect(await stateOf(left)).toEqual([499, undefined]);
		held.release();
		expect(await stateOf(next)).toBe("granted");
		expect(budget.reserved).toBe(50);
	});

	it("never exceeds the limits and is all back in the end, in whatever order things happen", async () => {
		const step = fc.record({
			caller: fc.constantFrom("a", "b", "c"),
			bytes: fc.integer({ min: 1, max: 200 }),
			release: fc.nat(20),
			advance: fc.constantFrom(0, 0, 400, 1000),
		});
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
				const { budget, clock } = setUp();
				const rooms: BodyRoom[] = [];
				for (const { caller, bytes, release, advance } of steps) {
					const room = budget.reserve({ id: caller, kind: "key" }, bytes);
					Promise.resolve(room.granted).catch(() => {});
					rooms.push(room);
					rooms[release]?.release();
					clock.advance(advance);
					expect(budget.reserved).toBeLessThanOrEqual(LIMITS.small.total + LIMITS.large.total);
				}
				for (const room of rooms) room.release();
				expect(budget.reserved).toBe(0);
			}),
		);
	});
});
