import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "cursorwire-emulator";
import { describe, expect, it } from "vitest";
import { sessionTokenCredential } from "../../src/credentials/credential.ts";
import { AuthClient } from "../../src/credentials/login/auth-client.ts";
import { accountOf } from "../../src/credentials/open-account.ts";
import { parseCredential } from "../../src/credentials/parse-credential.ts";
import { decodeCredential } from "../../src/credentials/vault/credential-text.ts";
import { createConnector } from "../../src/wire/connect/connector.ts";
import { H1Client } from "../../src/wire/h1/h1.ts";
import { closing } from "../kit/cleanup.ts";
import { authCalls, freshPair, keyOf, openRig, openRigOn, type Rig, sessionOf, works } from "../kit/credentials/rig.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { fixed, openFront } from "./front.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What happened at the emulator since the call of this function. */
function since({ emulator }: Rig): () => { exchanges: number; refreshes: number } {
	const before = authCalls(emulator);
	return () => {
		const { exchanges, refreshes } = authCalls(emulator);
		return { exchanges: exchanges - before.exchanges, refreshes: refreshes - before.refreshes };
	};
}

const parallel = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));

describe("many ask at once", () => {
	it("K1: with an expired session: one refresh, the same token for all", async () => {
		const rig = await openRig({ emulator: { accounts: singleUse() } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const calls = since(rig);
		const account = rig.account();
		const tokens = await parallel(100, () => account.token());
		expect(calls()).toEqual({ exchanges: 0, refreshes: 1 });
		expect(new Set(tokens.map((token) => token.reveal())).size).toBe(1);
		expect(await works(rig.emulator, tokens[0]!)).toBe(true);
	});

	it("with an API key: one exchange", async () => {
		const rig = await openRig();
		await rig.keeper.save(keyOf(rig));
		const account = rig.account();
		await parallel(100, () => account.token());
		await account.token();
		expect(rig.emulator.stats().auth).toMatchObject({ exchanges: 1, refreshes: 0 });
		expect(await works(rig.emulator, await rig.account().token())).toBe(true);
		expect(rig.emulator.stats().auth.exchanges).toBe(1);
	});

	it("K5: after a refusal: one refresh, and a late refusal of the old token costs nothing", async () => {
		const rig = await openRig({ emulator: { accounts: singleUse() } });
		await rig.keeper.save(await sessionOf(rig, "good"));
		const account = rig.account();
		const old = await account.token();
		rig.emulator.expireTokens();
		expect(await works(rig.emulator, old)).toBe(false);
		const calls = since(rig);
		const [renewed] = await parallel(100, () => account.tokenRefused(old));
		expect(await works(rig.emulator, renewed!)).toBe(true);
		expect((await account.tokenRefused(old)).equals(renewed!)).toBe(true);
		expect(calls().refreshes).toBe(1);
	});

	it("with a failing refresh: one round of calls, and the error is held for a while", async () => {
		const rig = await openRig({ emulator: { switches: ["refresh=none"] } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const account = rig.account();
		const calls = since(rig);
		const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => account.token()));
		expect(outcomes.every(({ status }) => status === "rejected")).toBe(true);
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		expect(calls().refreshes).toBe(4);
	});
});

describe("time", () => {
	/** A login on clocks that the test moves. */
	async function timed(life = 60 * MINUTE) {
		const clock = new ManualClock();
		let wall = Date.now();
		const rig = await openRig({
			clock,
			now: () => wall,
			emulator: { accounts: singleUse(life / 1000) },
		});
		await rig.keeper.save(await sessionOf(rig, "good", wall));
		const account = rig.account();
		const pass = (ms: number) => {
			wall += ms;
			clock.advance(Math.max(ms, 0));
		};
		return { rig, account, pass, calls: since(rig) };
	}

	it("renews five minutes ahead, and not earlier", async () => {
		const { account, pass, calls } = await timed();
		const first = await account.token();
		pass(54 * MINUTE);
		expect((await account.token()).equals(first)).toBe(true);
		pass(2 * MINUTE);
		expect((await account.token()).equals(first)).toBe(false);
		expect(calls().refreshes).toBe(1);
	});

	it("keeps a living token where its renewal fails, and tries again after half a minute", async () => {
		const { rig, account, pass, calls } = await timed();
		const first = await account.token();
		rig.emulator.set("refresh=none");
		pass(56 * MINUTE);
		expect((await account.token()).equals(first)).toBe(true);
		pass(20_000);
		expect((await account.token()).equals(first)).toBe(true);
		expect(calls().refreshes).toBe(4);
		rig.emulator.set("refresh=all");
		pass(11_000);
		expect((await account.token()).equals(first)).toBe(false);
	});

	it("does not keep a refused token, however long it should live", async () => {
		const { rig, account } = await timed();
		const first = await account.token();
		rig.emulator.set("refresh=none");
		await expect(account.tokenRefused(first)).rejects.toMatchObject({ kind: "signed-out" });
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
	});

	it.each([DAY, -DAY])("K6: a clock that is set by %i ms causes one renewal at most, no storm", async (step) => {
		const { account, pass, calls } = await timed();
		await account.token();
		pass(step);
		for (let i = 0; i < 20; i++) {
			await account.token();
			pass(1_000);
		}
		expect(calls().refreshes).toBe(step > 0 ? 1 : 0);
	});

	it("short-lived tokens are not renewed at every call", async () => {
		const { account, pass, calls } = await timed(2 * MINUTE);
		for (let i = 0; i < 10; i++) {
			await account.token();
			pass(1_000);
		}
		expect(calls().refreshes).toBe(0);
	});
});

describe("another process", () => {
	it("that signs in is noticed at once by one that was signed out", async () => {
		const rig = await openRig();
		const account = rig.account();
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		await rig.keeper.save(keyOf(rig));
		expect(await works(rig.emulator, await account.token())).toBe(true);
	});

	it("that signs in is noticed at once by one whose login has died", async () => {
		const rig = await openRig({ emulator: { switches: ["refresh=none"] } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const account = rig.account();
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		await rig.keeper.save(await sessionOf(rig, "good"));
		expect(await works(rig.emulator, await account.token())).toBe(true);
	});

	it("K9: that signs out or in is noticed within five seconds", async () => {
		const clock = new ManualClock();
		const rig = await openRig({ clock });
		await rig.keeper.save(await sessionOf(rig, "good"));
		const account = rig.account();
		const first = await account.token();
		await rig.keeper.save(await sessionOf(rig, "good"));
		clock.advance(5_001);
		expect((await account.token()).equals(first)).toBe(false);
		await rig.keeper.clear();
		clock.advance(5_001);
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
	});

	it("that damages the file does not sign a running one out", async () => {
		const clock = new ManualClock();
		const rig = await openRig({ clock });
		await rig.keeper.save(await sessionOf(rig, "good"));
		const account = rig.account();
		const token = await account.token();
		writeFileSync(join(rig.dataDir, "credentials", "cursor.json"), "{");
		clock.advance(5_001);
		expect((await account.token()).equals(token)).toBe(true);
		await expect(rig.account().token()).rejects.toMatchObject({
			kind: "signed-out",
			message: expect.stringContaining("is damaged: it is not JSON"),
		});
	});
});

describe("a credential stays with its origin", () => {
	it("and counts as signed out at another, without a single call", async () => {
		const rig = await openRig();
		await rig.keeper.save(await sessionOf(rig, "expired"));
		const elsewhere = await openFront();
		const there = await openRigOn(rig.emulator, { dataDir: rig.dataDir, upstream: elsewhere.url });
		const account = there.account();
		for (let i = 0; i < 2; i++) {
			await expect(account.token()).rejects.toMatchObject({
				kind: "signed-out",
				message: `You are signed in to ${rig.emulator.url}, but the upstream is ${elsewhere.url}.`,
			});
		}
		expect(elsewhere.seen).toEqual([]);
	});

	it("also when it is due for renewal just then", async () => {
		const rig = await openRig();
		await rig.keeper.save(await sessionOf(rig, "good"));
		const account = rig.account();
		const token = await account.token();
		await rig.keeper.save({ ...(await sessionOf(rig, "expired")), origin: "https://other.example" });
		const calls = since(rig);
		await expect(account.tokenRefused(token)).rejects.toThrow("https://other.example");
		expect(calls()).toEqual({ exchanges: 0, refreshes: 0 });
	});

	it("also when it is good, and when it changes under a running account", async () => {
		const clock = new ManualClock();
		const rig = await openRig({ clock });
		await rig.keeper.save(await sessionOf(rig, "good"));
		const account = rig.account();
		const token = await account.token();
		await rig.keeper.save({ ...(await sessionOf(rig, "good")), origin: "https://other.example" });
		await expect(account.tokenRefused(token)).rejects.toMatchObject({ kind: "signed-out" });
		clock.advance(5_001);
		await expect(account.token()).rejects.toThrow("https://other.example");
		await expect(account.token()).rejects.toThrow("https://other.example");
	});

	it("and does not follow a redirect", async () => {
		const target = await openFront();
		const front = await openFront();
		front.respond = fixed(307, "", { location: `${target.url}/auth/exchange_user_api_key` });
		const transport = closing(new H1Client({ connect: createConnector() }));
		const account = accountOf(parseCredential("key_demo")!, front.url, { transport });
		await expect(account.token()).rejects.toMatchObject({ kind: "upstream-unavailable" });
		expect([front.seen.length, target.seen.length]).toEqual([1, 0]);
	});

	it.each(["http://example.test", "http://127.0.0.1.example.test", "http://10.0.0.1", "http://localhost.example.test"])(
		"and is not sent to %s in the clear",
		(upstream) => {
			const transport = closing(new H1Client({ connect: createConnector() }));
			expect(() => new AuthClient(transport, upstream)).toThrow("without TLS");
		},
	);
});

describe("a key that comes with a request", () => {
	it.each([
		["an API key", async () => "key_demo"],
		["a session token", async (rig: Rig) => (await freshPair(rig.emulator)).accessToken.reveal()],
		["a cookie", async (rig: Rig) => `user_01DEMO%3A%3A${(await freshPair(rig.emulator)).accessToken.reveal()}`],
	])("works as %s and is stored nowhere", async (_, make) => {
		const rig = await openRig();
		const key = await make(rig);
		const transport = closing(new H1Client({ connect: createConnector() }));
		const account = accountOf(parseCredential(key)!, rig.upstream, { transport });
		expect(await works(rig.emulator, await account.token())).toBe(true);
		expect(account.key).not.toContain(key);
		expect(readdirSync(rig.dataDir)).toEqual([]);
	});

	it("that Cursor does not know is refused with its words", async () => {
		const emulator = closing(
			await startEmulator({ accounts: { accounts: [{ id: "user_1", apiKeys: ["key_right"] }] } }),
		);
		const transport = closing(new H1Client({ connect: createConnector() }));
		const account = accountOf(parseCredential("key_wrong")!, emulator.url, { transport });
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out", detail: "Invalid User API Key" });
	});

	it("that is an expired or refused session token cannot be renewed, and says so", async () => {
		const rig = await openRig();
		const { accessToken } = await freshPair(rig.emulator);
		const account = accountOf({ kind: "session-token", token: accessToken }, rig.upstream, {
			transport: closing(new H1Client({ connect: createConnector() })),
			now: () => Date.now() + DAY,
		});
		await expect(account.token()).rejects.toThrow(
			/^The session token expired on \d{4}-\d\d-\d\d, and session tokens cannot be renewed\.$/,
		);
		await rig.keeper.save(sessionTokenCredential(rig.client.origin, accessToken, Date.now()));
		const stored = rig.account();
		expect((await stored.token()).equals(accessToken)).toBe(true);
		await expect(stored.tokenRefused(accessToken)).rejects.toThrow("Cursor refuses the session token: it was revoked");
	});
});

describe("what is stored", () => {
	it("follows a rotating refresh token", async () => {
		const rig = await openRig({ emulator: { accounts: singleUse() } });
		await rig.keeper.save(await sessionOf(rig, "expired"));
		for (let round = 1; round <= 5; round++) {
			const token = await rig.account().token();
			rig.emulator.expireTokens();
			await rig.account().tokenRefused(token);
		}
		expect(decodeCredential(rig.file())).toMatchObject({ kind: "session", revision: 6, refreshCall: "exchange" });
	});

	it("is not made by asking for a token without a login", async () => {
		const rig = await openRig();
		await expect(rig.account().token()).rejects.toMatchObject({ kind: "signed-out" });
		expect(readdirSync(rig.dataDir)).toEqual([]);
	});
});

function singleUse(accessLifeSeconds = 3600) {
	return {
		accounts: [{ id: "user_01DEMO", acceptAnyKey: true }],
		tokens: { singleUseRefresh: true, accessLifeSeconds },
	};
}
