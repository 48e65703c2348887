// One account, many requests, one token.
import { expect, it } from "vitest";
import { addKey, ask, user } from "../kit/dialects/handmade-chat.ts";
import { startTestGateway } from "../kit/gateway.ts";
import { temporaryFolder } from "../kit/program.ts";

it("K1, K5: asks for a token once, however many requests need one, and once more when it has expired", async () => {
	const dataDir = temporaryFolder();
	const { key } = await addKey(dataDir, "busy", { concurrentTurns: 128 });
	const gateway = await startTestGateway({ emulator: { brain: "echo" }, settings: { dataDir } });
	const asked = () => {
		const { exchanges, refreshes } = gateway.emulator.stats().auth;
		return exchanges + refreshes;
	};
	const hundred = async () => {
		const all = Array.from({ length: 100 }, (_, n) => ask(gateway, [user(`hello ${n}`)], { key, stream: n % 2 === 0 }));
		const answers = await Promise.all(all);
		expect(answers.map(({ status }) => status)).toEqual(Array(100).fill(200));
		expect(answers.map(({ text }) => text)).toEqual(Array.from({ length: 100 }, (_, n) => `hello ${n}`));
	};
	await hundred();
	expect(asked()).toBe(1);
	gateway.emulator.expireTokens();
	await hundred();
	expect(asked()).toBe(2);
	// Each request that met the expired token was sent once more, and none of the others.
	const { runs, auth } = gateway.emulator.stats();
	expect(runs.ended).toBe(200);
	expect(auth.refused).toBe(0);
});
