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
import {
	authCalls,
	type Bench,
	freshPair,
	keyOf,
	openBench,
	openBenchOn,
	sessionOf,
	works,
} from "../kit/credentials/rig.ts";
import { ManualClock } from "../kit/manual-clock.ts";
import { fixed, openFront } from "./front.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What happened at the emulator since the call of this function. */
function since({ emulator }: Bench): () => { exchanges: number; refreshes: number } {
	const before = authCalls(emulator);
	return () => {
		const { exchanges, refreshes } = authCalls(emulator);
		return { exchanges: exchanges - before.exchanges, refreshes: refreshes - before.refreshes };
	};
}

const parallel = <T>(count: number, call: () => Promise<T>) => Promise.all(Array.from({ length: count }, call));

describe("many ask at once", () => {
	it("K1: with an expired session: one refresh, the same token for all", async () => {
		const bench = await openBench({ emulator: { accounts: singleUse() } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const calls = since(bench);
		const account = bench.account();
		const tokens = await parallel(100, () => account.token());
		expect(calls()).toEqual({ exchanges: 0, refreshes: 1 });
		expect(new Set(tokens.map((token) => token.reveal())).size).toBe(1);
		expect(await works(bench.emulator, tokens[0]!)).toBe(true);
	});

	it("with an API key: one exchange", async () => {
		const bench = await openBench();
		await bench.keeper.save(keyOf(bench));
		const account = bench.account();
		await parallel(100, () => account.token());
		await account.token();
		expect(bench.emulator.stats().auth).toMatchObject({ exchanges: 1, refreshes: 0 });
		expect(await bench.account().token()).toBeDefined();
		expect(bench.emulator.stats().auth.exchanges).toBe(1);
	});

	it("K5: after a refusal: one refresh, and a late refusal of the old token costs nothing", async () => {
		const bench = await openBench({ emulator: { accounts: singleUse() } });
		await bench.keeper.save(await sessionOf(bench, "good"));
		const account = bench.account();
		const old = await account.token();
		bench.emulator.expireTokens();
		expect(await works(bench.emulator, old)).toBe(false);
		const calls = since(bench);
		const [renewed] = await parallel(100, () => account.tokenRefused(old));
		expect(await works(bench.emulator, renewed!)).toBe(true);
		expect((await account.tokenRefused(old)).equals(renewed!)).toBe(true);
		expect(calls().refreshes).toBe(1);
	});

	it("with a failing refresh: one round of calls, and the error is held for a while", async () => {
		const bench = await openBench({ emulator: { switches: ["refresh=none"] } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const account = bench.account();
		const calls = since(bench);
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
		const bench = await openBench({
			clock,
			now: () => wall,
			emulator: { accounts: singleUse(life / 1000) },
		});
		await bench.keeper.save(await sessionOf(bench, "good", wall));
		const account = bench.account();
		const pass = (ms: number) => {
			wall += ms;
			clock.advance(Math.max(ms, 0));
		};
		return { bench, account, pass, calls: since(bench) };
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
		const { bench, account, pass, calls } = await timed();
		const first = await account.token();
		bench.emulator.set("refresh=none");
		pass(56 * MINUTE);
		expect((await account.token()).equals(first)).toBe(true);
		pass(20_000);
		expect((await account.token()).equals(first)).toBe(true);
		expect(calls().refreshes).toBe(4);
		bench.emulator.set("refresh=all");
		pass(11_000);
		expect((await account.token()).equals(first)).toBe(false);
	});

	it("does not keep a refused token, however long it should live", async () => {
		const { bench, account } = await timed();
		const first = await account.token();
		bench.emulator.set("refresh=none");
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
		const bench = await openBench();
		const account = bench.account();
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		await bench.keeper.save(keyOf(bench));
		expect(await works(bench.emulator, await account.token())).toBe(true);
	});

	it("that signs in is noticed at once by one whose login has died", async () => {
		const bench = await openBench({ emulator: { switches: ["refresh=none"] } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const account = bench.account();
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
		await bench.keeper.save(await sessionOf(bench, "good"));
		expect(await works(bench.emulator, await account.token())).toBe(true);
	});

	it("K9: that signs out or in is noticed within five seconds", async () => {
		const clock = new ManualClock();
		const bench = await openBench({ clock });
		await bench.keeper.save(await sessionOf(bench, "good"));
		const account = bench.account();
		const first = await account.token();
		await bench.keeper.save(await sessionOf(bench, "good"));
		clock.advance(5_001);
		expect((await account.token()).equals(first)).toBe(false);
		await bench.keeper.clear();
		clock.advance(5_001);
		await expect(account.token()).rejects.toMatchObject({ kind: "signed-out" });
	});

	it("that damages the file does not sign a running one out", async () => {
		const clock = new ManualClock();
		const bench = await openBench({ clock });
		await bench.keeper.save(await sessionOf(bench, "good"));
		const account = bench.account();
		const token = await account.token();
		writeFileSync(join(bench.dataDir, "credentials", "cursor.json"), "{");
		clock.advance(5_001);
		expect((await account.token()).equals(token)).toBe(true);
		await expect(bench.account().token()).rejects.toMatchObject({
			kind: "signed-out",
			message: expect.stringContaining("is damaged: it is not JSON"),
		});
	});
});

describe("a credential stays with its origin", () => {
	it("and counts as signed out at another, without a single call", async () => {
		const bench = await openBench();
		await bench.keeper.save(await sessionOf(bench, "expired"));
		const elsewhere = await openFront();
		const there = await openBenchOn(bench.emulator, { dataDir: bench.dataDir, upstream: elsewhere.url });
		const account = there.account();
		for (let i = 0; i < 2; i++) {
			await expect(account.token()).rejects.toMatchObject({
				kind: "signed-out",
				message: `You are signed in to ${bench.emulator.url}, but the upstream is ${elsewhere.url}.`,
			});
		}
		expect(elsewhere.seen).toEqual([]);
	});

	it("also when it is due for renewal just then", async () => {
		const bench = await openBench();
		await bench.keeper.save(await sessionOf(bench, "good"));
		const account = bench.account();
		const token = await account.token();
		await bench.keeper.save({ ...(await sessionOf(bench, "expired")), origin: "https://other.example" });
		const calls = since(bench);
		await expect(account.tokenRefused(token)).rejects.toThrow("https://other.example");
		expect(calls()).toEqual({ exchanges: 0, refreshes: 0 });
	});

	it("also when it is good, and when it changes under a running account", async () => {
		const clock = new ManualClock();
		const bench = await openBench({ clock });
		await bench.keeper.save(await sessionOf(bench, "good"));
		const account = bench.account();
		const token = await account.token();
		await bench.keeper.save({ ...(await sessionOf(bench, "good")), origin: "https://other.example" });
		await expect(account.tokenRefused(token)).rejects.toMatchObject({ kind: "signed-out" });
		clock.advance(5_001);
		await expect(account.token()).rejects.toThrow("https://other.example");
		await expect(account.token()).rejects.toThrow("https://other.example");
	});

	it("and does not follow a redirect", async () => {
		const target = await openFront();
		const front = await openFront();
		front.answer = fixed(307, "", { location: `${target.url}/auth/exchange_user_api_key` });
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
		["a session token", async (bench: Bench) => (await freshPair(bench.emulator)).accessToken.reveal()],
		["a cookie", async (bench: Bench) => `user_01DEMO%3A%3A${(await freshPair(bench.emulator)).accessToken.reveal()}`],
	])("works as %s and is stored nowhere", async (_, make) => {
		const bench = await openBench();
		const key = await make(bench);
		const transport = closing(new H1Client({ connect: createConnector() }));
		const account = accountOf(parseCredential(key)!, bench.upstream, { transport });
		expect(await works(bench.emulator, await account.token())).toBe(true);
		expect(account.key).not.toContain(key);
		expect(readdirSync(bench.dataDir)).toEqual([]);
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
		const bench = await openBench();
		const { accessToken } = await freshPair(bench.emulator);
		const account = accountOf({ kind: "session-token", token: accessToken }, bench.upstream, {
			transport: closing(new H1Client({ connect: createConnector() })),
			now: () => Date.now() + DAY,
		});
		await expect(account.token()).rejects.toThrow("pasted session token has expired");
		await bench.keeper.save(sessionTokenCredential(bench.client.origin, accessToken, Date.now()));
		const stored = bench.account();
		expect((await stored.token()).equals(accessToken)).toBe(true);
		await expect(stored.tokenRefused(accessToken)).rejects.toThrow("no longer accepts it");
	});
});

describe("what is stored", () => {
	it("follows a rotating refresh token", async () => {
		const bench = await openBench({ emulator: { accounts: singleUse() } });
		await bench.keeper.save(await sessionOf(bench, "expired"));
		for (let round = 1; round <= 5; round++) {
			const token = await bench.account().token();
			bench.emulator.expireTokens();
			await bench.account().tokenRefused(token);
		}
		expect(decodeCredential(bench.file())).toMatchObject({ kind: "session", revision: 6, refreshCall: "exchange" });
	});

	it("is not made by asking for a token without a login", async () => {
		const bench = await openBench();
		await expect(bench.account().token()).rejects.toMatchObject({ kind: "signed-out" });
		expect(readdirSync(bench.dataDir)).toEqual([]);
	});
});

function singleUse(accessLifeSeconds = 3600) {
	return {
		accounts: [{ id: "user_01DEMO", acceptAnyKey: true }],
		tokens: { singleUseRefresh: true, accessLifeSeconds },
	};
}
