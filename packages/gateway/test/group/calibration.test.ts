// What one gateway learns of the server, the others with the same account know as well.
import { expect, it, onTestFinished } from "vitest";
import { AnswerFile } from "../../src/calibrate/answer-file.ts";
import { ownAccountKey } from "../../src/calibrate/own-account.ts";
import { until } from "../kit/cleanup.ts";
import { ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway, type TestGateway } from "../kit/gateway.ts";
import { startRedis } from "../store/redis-server.ts";

it("S8: answers about the server are those of all gateways with the same account", async () => {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	const one = await startTestGateway({
		emulator: {
			brain: "echo",
			switches: ["usage=at-end"],
			accounts: { accounts: [{ id: "user_1", acceptAnyKey: true }] },
		},
		settings: { redis: redis.url },
	});
	const upstream = one.emulator.url;
	const start = (apiKey: string) => startTestGateway({ settings: { redis: redis.url, upstream, apiKey } });
	const [other, stranger] = [await start("key_test"), await start("key_of_another_account")];
	const known = ({ dataDir }: TestGateway, apiKey = "key_test") =>
		new AnswerFile(dataDir, upstream).read(ownAccountKey({ apiKey }))?.answers ?? {};
	// Each opens its account with its first turn.
	await ask(one, [user("hello")]);
	await until(() => known(one).usage !== undefined);
	for (const gateway of [other, stranger]) await gateway.fetch("/v1/models");
	await until(() => known(other).usage !== undefined);
	expect(known(other).usage).toEqual(known(one).usage);
	// The account of another key has answers of its own, which it has exchanged as well.
	const names = async () => (await redis.cli("keys", "cursorwire:group:answers:*")).split("\n");
	await until(async () => (await names()).length === 2);
	expect(known(stranger, "key_of_another_account").usage).toBeUndefined();
});
