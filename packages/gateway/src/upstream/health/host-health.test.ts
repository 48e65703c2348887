import { describe, expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { GatewayError } from "../../turn/error.ts";
import { ERROR_KINDS, type ErrorKind } from "../../turn/error-kinds.ts";
import { HealthRegister, DEFAULT_HEALTH_LIMITS as limits } from "./health-register.ts";
import type { HealthReport } from "./host-health.ts";

const HOST = new URL("https://api2.cursor.sh");

function start() {
	const clock = new ManualClock();
	const changes: HealthReport[] = [];
	const register = new HealthRegister({ limits, clock, changed: (health) => changes.push(health) });
	const health = register.of(HOST, "user_1");
	const fail = (times: number, error = new GatewayError("upstream-reset")) => {
		for (let count = 0; count < times; count++) health.begin().failed(error);
	};
	const refusal = (): GatewayError => {
		try {
			health.begin();
		} catch (error) {
			return error as GatewayError;
		}
		return expect.unreachable("it lets an attempt pass");
	};
	return { clock, changes, register, health, fail, refusal };
}

const AGAINST: ErrorKind[] = [
	"upstream-unavailable",
	"upstream-timeout",
	"upstream-stalled",
	"upstream-reset",
	"upstream-protocol",
	"upstream-empty",
	"upstream-error",
];

describe("the health of a host", () => {
	it.each(AGAINST)("suffers from %s", (kind) => {
		const { health, fail } = start();
		fail(limits.strikes, new GatewayError(kind));
		expect(health.report().state).toBe("open");
	});

	it.each((Object.keys(ERROR_KINDS) as ErrorKind[]).filter((kind) => !AGAINST.includes(kind)))(
		"does not suffer from %s",
		(kind) => {
			const { health, fail } = start();
			fail(10 * limits.strikes, new GatewayError(kind));
			expect(health.report()).toMatchObject({ state: "closed", failures: 0 });
		},
	);

	it("is good again when a probe is refused for a reason of the caller's", () => {
		const { clock, health, fail } = start();
		fail(limits.strikes);
		clock.advance(limits.firstPauseMs);
		fail(1, new GatewayError("rate-limited"));
		expect(health.report().state).toBe("closed");
	});

	it("is kept for each host and account", () => {
		const { register, fail, health } = start();
		fail(limits.strikes);
		expect(health.report().state).toBe("open");
		expect(register.of(HOST, "user_2").report().state).toBe("closed");
		expect(register.of(new URL("https://agent.cursor.sh"), "user_1").report().state).toBe("closed");
		expect(register.of(new URL("https://api2.cursor.sh/path"), "user_1")).toBe(health);
		expect(register.reports("user_1").map(({ host, state }) => [host, state])).toEqual([
			["api2.cursor.sh", "open"],
			["agent.cursor.sh", "closed"],
		]);
	});

	it("tells of each change with the last failure and when the next try is due", () => {
		const { clock, changes, health, fail } = start();
		fail(limits.strikes, new GatewayError("upstream-reset", "It was cut.", { detail: "Said so." }));
		clock.advance(limits.firstPauseMs);
		health.begin().succeeded();
		expect(changes.map(({ state }) => state)).toEqual(["open", "half-open", "closed"]);
		expect(changes[0]).toEqual({
			host: "api2.cursor.sh",
			state: "open",
			failures: limits.strikes,
			lastFailure: "It was cut. Said so.",
			retryInSeconds: 5,
		});
	});
});

describe("a refusal", () => {
	it("says why, and when to come back; clients may do so by themselves", () => {
		const { clock, fail, refusal } = start();
		fail(limits.strikes, new GatewayError("upstream-reset", "It was cut."));
		clock.advance(1_500);
		expect(refusal()).toMatchObject({ kind: "upstream-unavailable", retryAfterSeconds: 4 });
		expect(refusal().fullMessage).toBe(
			"Cursor keeps failing, so the gateway has stopped asking it for a moment. The last failure: It was cut. Try again in 4 s; `cursorwire doctor` says which hop fails.",
		);
	});

	it("is final once a probe has failed, and so is the error of that probe", () => {
		const { clock, health, fail, refusal } = start();
		const error = new GatewayError("upstream-reset", "It was cut.");
		fail(limits.strikes);
		expect(health.told(error), "the failure that opens the breaker is told as it is").toBe(error);
		clock.advance(limits.firstPauseMs);
		fail(1);
		expect(refusal()).toMatchObject({ kind: "upstream-failing", status: 424, retryAfterSeconds: 10 });
		expect(health.told(error)).toMatchObject({ kind: "upstream-failing" });
		expect(health.told(error).fullMessage).toContain("It was cut.");
		const quota = new GatewayError("quota-exhausted");
		expect(health.told(quota), "what is not the upstream's fault stays as it is").toBe(quota);
	});
});

describe("retries", () => {
	it("heal an isolated failure, but not the second in a row", () => {
		const { health, fail } = start();
		for (let count = 0; count < 50; count++) health.begin().succeeded();
		fail(1);
		expect(health.spendRetry()).toBe(true);
		fail(1);
		expect(health.spendRetry()).toBe(false);
		health.begin().succeeded();
		fail(1);
		expect(health.spendRetry()).toBe(true);
	});

	it("heal everything that failed together, as far as the budget goes", () => {
		const { health } = start();
		for (let count = 0; count < 50; count++) health.begin().succeeded();
		const attempts = Array.from({ length: 10 }, () => health.begin());
		for (const attempt of attempts) attempt.failed(new GatewayError("upstream-reset"));
		const granted = attempts.filter(() => health.spendRetry());
		expect(granted).toHaveLength(limits.retries.most);
	});

	it("cost one in five successes in the long run", () => {
		const { health, fail } = start();
		let retries = 0;
		for (let count = 0; count < 300; count++) {
			health.begin().succeeded();
			health.begin().succeeded();
			fail(1);
			if (health.spendRetry()) retries += 1;
		}
		expect(retries).toBeLessThanOrEqual(limits.retries.reserve + limits.retries.perSuccess * 600);
		expect(retries).toBeGreaterThan(100);
	});

	it("go on for a run that gets further each time, while the upstream serves more than it breaks", () => {
		const { health } = start();
		for (let count = 0; count < 50; count++) health.begin().succeeded();
		const granted = Array.from({ length: 4 }, () => {
			health.begin().failed(new GatewayError("upstream-reset"), true);
			return health.spendRetry();
		});
		expect(granted).toEqual([true, true, true, true]);
		health.begin().failed(new GatewayError("upstream-reset"), true);
		expect(health.report().state).toBe("open");
	});
});
