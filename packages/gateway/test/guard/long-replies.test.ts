// What a reply has said is in the store while it still speaks: other gateways count it, and a kill does not undo it.
import { once } from "node:events";
import { type Brain, startEmulator } from "cursorwire-emulator";
import { expect, it, onTestFinished } from "vitest";
import { counterName } from "../../src/guard/windows.ts";
import { openStore } from "../../src/store/open-store.ts";
import { until } from "../kit/cleanup.ts";
import { temporaryFolder } from "../kit/program.ts";
import { serve } from "../kit/served.ts";
import { startRedis } from "../store/redis-server.ts";
import { addLimit, type StorePlace } from "./books.ts";

const PIECE_TOKENS = 500;
const PIECE = "word ".repeat((PIECE_TOKENS * 4) / 5);
const ASKED = { model: "composer-1", stream: true, messages: [{ role: "user", content: "go" }] };

/** A model whose replies go on when so much more is counted in the store as they have just said. */
async function startTalker(place: StorePlace) {
	const counter = counterName(await addLimit(place, "10k tokens"), { start: 0 });
	const store = await openStore({ redis: "", ...place, warn: () => {} });
	onTestFinished(() => store.close());
	const used = async () => (await store.readSpend([counter]))[0]!;
	let said = 0;
	const brain: Brain = async function* ({ signal }) {
		while (!signal.aborted) {
			const before = await used();
			said += PIECE_TOKENS;
			yield { text: PIECE };
			await until(async () => signal.aborted || (await used()) >= before + PIECE_TOKENS);
		}
	};
	const emulator = await startEmulator({ brain });
	onTestFinished(() => emulator.close());
	return { upstream: emulator.url, said: () => said, used };
}

it("replies in two gateways end at the same limit", async () => {
	const redis = await startRedis();
	onTestFinished(() => redis.stop());
	const { upstream, said } = await startTalker({ dataDir: temporaryFolder(), redis: redis.url });
	const start = () => serve({ upstream, dataDir: temporaryFolder(), env: { CURSORWIRE_REDIS: redis.url } });
	const gateways = await Promise.all([start(), start()]);
	const replies = await Promise.all(gateways.map(async (gateway) => (await gateway.ask(ASKED)).text()));
	for (const reply of replies) expect(reply).toContain("The limit of 10k tokens is reached: ");
	// At the moment of crossing each of them may have begun a piece, and be one ahead of what is counted.
	expect(said()).toBeLessThanOrEqual(10_000 + 4 * PIECE_TOKENS);
});

it("kill -9 in the middle of a reply leaves what it has said in the counter", async () => {
	const dataDir = temporaryFolder();
	const { upstream, said, used } = await startTalker({ dataDir });
	const gateway = await serve({ upstream, dataDir });
	const broken = expect(gateway.ask(ASKED).then((response) => response.text())).rejects.toThrow();
	await until(async () => (await used()) >= 10 * PIECE_TOKENS);
	process.kill(gateway.pid, "SIGKILL");
	const { child } = gateway.program;
	if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
	await broken;
	const left = await used();
	expect(left).toBeGreaterThanOrEqual(10 * PIECE_TOKENS);
	const after = await serve({ upstream, dataDir });
	expect(await (await after.ask(ASKED)).text()).toContain("The limit of 10k tokens is reached: ");
	// What was on its way to the one that was killed is all that nobody has counted.
	expect(said()).toBeLessThanOrEqual(10_000 + 2 * PIECE_TOKENS);
});
