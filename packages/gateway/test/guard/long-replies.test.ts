// What a reply has said is in the store while it still speaks: other gateways count it, and a kill does not undo it.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
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

const LIMIT = 10_000;
/** From here on the next piece may be the last. */
const NEARLY = LIMIT - 2 * PIECE_TOKENS;
/** So much may be said beyond the limit. Without the counts of others it would be at least 5,000. */
const BEYOND_TOKENS = 8 * PIECE_TOKENS;
/** How long a gateway has to end a reply at the limit before the model says another piece. */
const PAUSE_MS = 500;

/**
 * A model whose replies go on when so much more is counted in the store as they have just said. What a reply says last
 * is counted at its end alone, so that near the limit it goes on after a pause.
 */
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
			await until(async () => signal.aborted || (await used()) >= Math.min(before + PIECE_TOKENS, NEARLY));
			if ((await used()) >= NEARLY) await sleep(PAUSE_MS);
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
	expect(said()).toBeLessThanOrEqual(LIMIT + BEYOND_TOKENS);
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
	expect(said()).toBeLessThanOrEqual(LIMIT + BEYOND_TOKENS);
});
