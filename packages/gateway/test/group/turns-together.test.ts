// A key's limit of concurrent turns is one for all gateways.
import { randomBytes } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { callerOfKey } from "../../src/access/caller.ts";
import { KeyRing } from "../../src/access/key-ring.ts";
import { openStore } from "../../src/store/open-store.ts";
import { nameOf } from "../../src/store/redis/script.ts";
import { until } from "../kit/cleanup.ts";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";
import { startRedis } from "../store/redis-server.ts";

it("S8: a key has as many turns at once as it may have, wherever they run", async () => {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	const store = await openStore({ dataDir: temporaryFolder(), redis: redis.url, warn: expect.fail });
	const ring = new KeyRing({ store, now: Date.now, random: randomBytes });
	const { key, record } = await ring.add("narrow", { limits: { concurrentTurns: 2 } });
	await store.close();

	let running = 0;
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	const settings = { redis: redis.url };
	const one = await startTestGateway({
		settings,
		emulator: {
			async *brain({ prompt }) {
				running += 1;
				if (prompt === "long") await held;
				running -= 1;
				yield { text: prompt };
			},
		},
	});
	const other = await startTestGateway({ settings: { ...settings, upstream: one.emulator.url } });
	const say = (gateway: TestGateway, text: string) => ask(gateway, [user(text)], { key });
	const long = [one, other].map((gateway) => say(gateway, "long"));
	await until(() => running === 2);
	for (const gateway of [one, other]) {
		expect(await say(gateway, "short")).toMatchObject({ status: 429, error: { code: "concurrency_limit" } });
	}
	// Other keys are not concerned.
	expect(await ask(other, [user("short")])).toMatchObject({ status: 200 });
	release();
	for (const reply of await Promise.all(long)) expect(reply).toMatchObject({ status: 200, text: "long" });
	expect(await say(one, "short")).toMatchObject({ status: 200 });

	// What a gateway had that was killed does not count.
	const counts = () => redis.cli("--raw", "keys", "cursorwire:group:turns:*");
	await until(async () => (await counts()) === "");
	const name = `cursorwire:group:turns:${nameOf(callerOfKey(record).id)}`;
	await redis.cli("hset", name, "killed", "2");
	expect(await say(other, "short")).toMatchObject({ status: 200 });
	expect(await redis.cli("hexists", name, "killed")).toBe("0");
});
