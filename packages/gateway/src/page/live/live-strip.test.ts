import { expect, it } from "vitest";
import { ManualClock } from "../../../test/kit/manual-clock.ts";
import { GatewayError } from "../../turn/error.ts";
import { type AccountState, LiveStrip } from "./live-strip.ts";

const ACCOUNT: AccountState = { email: "me@example.com", plan: "Pro", pools: [{ name: "auto", usedPercent: 3 }] };

function setUp(account: () => Promise<AccountState>) {
	const clock = new ManualClock();
	let asked = 0;
	const strip = new LiveStrip({
		version: "1.2.3",
		isDemo: false,
		clock,
		account: () => {
			asked++;
			return account();
		},
		storeKind: () => "sqlite",
		channel: () => undefined,
		problems: () => [{ name: "log", reason: "a secret path" }],
		health: () => [{ host: "api2", state: "open", failures: 5, lastFailure: undefined, retryInSeconds: 3 }],
	});
	const told = () => new Promise<void>((resolve) => void strip.read(resolve));
	return { clock, strip, told, asked: () => asked };
}

it("asks Cursor once a minute, and only while it is read", async () => {
	const { clock, strip, told, asked } = setUp(async () => ACCOUNT);
	expect(asked()).toBe(0);
	await told();
	clock.advance(59_999);
	expect(strip.read(() => {})).toMatchObject({ ...ACCOUNT, signedIn: true });
	expect(asked()).toBe(1);
	clock.advance(600_000);
	expect(asked()).toBe(1);
	await told();
	expect(asked()).toBe(2);
});

it("says what is wrong, without the reasons that may hold a path", async () => {
	const { strip, told } = setUp(() => Promise.reject(new GatewayError("signed-out")));
	await told();
	const { problems, ...rest } = strip.read(() => {});
	expect(rest).toEqual({ version: "1.2.3", isDemo: false, signedIn: false, pools: [], store: "sqlite" });
	expect(problems).toEqual([
		expect.stringMatching(/^The gateway runs, but lines of its log were dropped/),
		expect.stringMatching(/not signed in/),
		"Cursor keeps failing at api2, so it is left alone for a while.",
	]);
	expect(problems.join()).not.toContain("secret");
});

it("keeps showing what is known while Cursor cannot be asked", async () => {
	let answer = () => Promise.resolve(ACCOUNT);
	const { clock, strip, told } = setUp(() => answer());
	await told();
	answer = () => Promise.reject(new Error("away"));
	clock.advance(60_000);
	await told();
	expect(strip.read(() => {})).toMatchObject({ ...ACCOUNT, signedIn: true });
});
