import { describe, expect, it } from "vitest";
import { ManualClock } from "../../test/kit/manual-clock.ts";
import { GatewayError } from "../turn/error.ts";
import { CredentialChecks } from "./credential-checks.ts";

const LIMITS = { atOnce: 2, perMinute: 5, refusedMs: 60_000, refused: 3, known: 2 };

function setUp() {
	const clock = new ManualClock();
	const checks = new CredentialChecks(clock, LIMITS);
	const asked: string[] = [];
	const check = (id: string, lookUp: () => Promise<void> = async () => {}) =>
		checks
			.check(id, () => {
				asked.push(id);
				return lookUp();
			})
			.then(
				() => "accepted",
				(error: GatewayError) => error,
			);
	return { clock, asked, check };
}

const refuse = async () => {
	throw new GatewayError("signed-out");
};

describe("a credential that is new", () => {
	it("is looked up once, and known from then on", async () => {
		const { check, asked } = setUp();
		expect(await Promise.all([check("a"), check("a"), check("a")])).toEqual(["accepted", "accepted", "accepted"]);
		expect(await check("a")).toBe("accepted");
		expect(asked).toEqual(["a"]);
	});

	it("shares a budget with all others: a number at once and a number per minute", async () => {
		const { check, clock, asked } = setUp();
		let end = () => {};
		const endless = () =>
			new Promise<void>((resolve) => {
				end = resolve;
			});
		const first = check("a", endless);
		check("b", () => new Promise(() => {}));
		expect(await check("c")).toMatchObject({ status: 503, retryAfterSeconds: 1 });
		end();
		expect(await first).toBe("accepted");
		for (const id of ["c", "d", "e"]) expect(await check(id)).toBe("accepted");
		clock.advance(10_000);
		expect(await check("f")).toMatchObject({ status: 503, retryAfterSeconds: 50 });
		// A known credential needs no budget.
		expect(await check("e")).toBe("accepted");
		clock.advance(50_000);
		expect(await check("f")).toBe("accepted");
		expect(asked).toEqual(["a", "b", "c", "d", "e", "f"]);
	});

	it("that Cursor refuses is refused without asking for a minute", async () => {
		const { check, clock, asked } = setUp();
		for (let round = 0; round < 3; round++) expect(await check("a", refuse)).toMatchObject({ kind: "signed-out" });
		expect(asked).toEqual(["a"]);
		clock.advance(60_000);
		expect(await check("a")).toBe("accepted");
	});

	it("is asked about again where Cursor did not answer", async () => {
		const { check, asked } = setUp();
		const unavailable = () => Promise.reject(new GatewayError("upstream-unavailable"));
		expect(await check("a", unavailable)).toMatchObject({ kind: "upstream-unavailable" });
		expect(await check("a")).toBe("accepted");
		expect(asked).toEqual(["a", "a"]);
	});

	it("is remembered only so long as there is room, refused or not", async () => {
		const { check, clock, asked } = setUp();
		for (const id of ["a", "b", "c", "d"]) await check(id, refuse);
		await check("d", refuse);
		clock.advance(59_000);
		await check("a", refuse);
		expect(asked).toEqual(["a", "b", "c", "d", "a"]);
		clock.advance(60_000);
		for (const id of ["x", "y", "x", "z", "x", "y"]) await check(id);
		expect(asked.slice(5)).toEqual(["x", "y", "z", "y"]);
	});
});
