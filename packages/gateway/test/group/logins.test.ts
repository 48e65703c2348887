// Two gateways with the same browser login in data folders of their own.
import { randomUUID } from "node:crypto";
import { startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { SharedLogins } from "../../src/credentials/token/shared-logins.ts";
import { RedisLink } from "../../src/store/redis/link.ts";
import { RedisLoginBoard } from "../../src/store/redis/login-board.ts";
import { systemClock } from "../../src/time/clock.ts";
import { closing } from "../kit/cleanup.ts";
import { authCalls, openRigOn, sessionOf, works } from "../kit/credentials/rig.ts";
import { startRedis } from "../store/redis-server.ts";

/** What every gateway opens for itself. */
async function startTwo() {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	const emulator = closing(await startEmulator());
	const open = async () => {
		const link = closing(await RedisLink.open({ url: redis.url }));
		return openRigOn(emulator, { shared: new SharedLogins(new RedisLoginBoard(link, randomUUID), systemClock) });
	};
	const [one, other] = [await open(), await open()];
	const login = await sessionOf(one, "expired");
	await one.keeper.save(login);
	await other.keeper.save(login);
	return { redis, emulator, one, other };
}

it("S9: renew it once for both, and the refresh token of one use survives", async () => {
	const { redis, emulator, one, other } = await startTwo();
	const [a, b] = [one.account(), other.account()];
	const [first, second] = await Promise.all([a.token(), b.token()]);
	expect(first.equals(second)).toBe(true);
	expect(authCalls(emulator).refreshes).toBe(1);
	// The other one has learnt the next refresh token with it, and can use it.
	emulator.expireTokens();
	const third = await b.tokenRefused(second);
	expect(await works(emulator, third)).toBe(true);
	expect(authCalls(emulator).refreshes).toBe(2);
	expect((await a.tokenRefused(first)).equals(third)).toBe(true);
	expect(authCalls(emulator).refreshes).toBe(2);
	expect(one.file()).toBe(other.file());
	// Whoever reads the Redis learns no token.
	const { refreshToken } = JSON.parse(one.file());
	const names = (await redis.cli("--raw", "keys", "cursorwire:group:login:*")).split("\n");
	expect(names).toHaveLength(2);
	for (const name of names) {
		const kept = await redis.cli("--no-raw", "get", name);
		for (const secret of [first.reveal(), third.reveal(), refreshToken]) expect(kept).not.toContain(secret);
	}
});

it("S9: each goes on alone while the Redis is away", async () => {
	const { redis, emulator, one } = await startTwo();
	await redis.kill();
	expect(await works(emulator, await one.account().token())).toBe(true);
});
