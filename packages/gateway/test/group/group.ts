// Several gateways as programs of their own, on one Redis, behind HAProxy, with one emulator behind them.
import { type Brain, type Emulator, startEmulator } from "cursorwire-emulator";
import { onTestFinished } from "vitest";
import { resultsSeen } from "../kit/dialects/handmade-chat.ts";
import { temporaryFolder } from "../kit/program.ts";
import { type Served, serve } from "../kit/served.ts";
import { freePort, startRedis, type TestRedis } from "../store/redis-server.ts";
import { startHaproxy } from "./haproxy.ts";

const KEY = "one-key-for-all-gateways-of-the-group";

export interface TestGroup {
	/** Where HAProxy listens, and the key of all gateways. */
	url: string;
	key: string;
	emulator: Emulator;
	redis: TestRedis;
	seen: SeenByModel;
	gateways: Served[];
	/** Starts a gateway in the place of one that has ended. */
	startAgain(at: number): Promise<void>;
}

/** What the emulator counts. */
interface SeenByModel {
	/** How often each result came into a run that was waiting for it. */
	answered: Map<string, number>;
	/** Names of conversations, once for each run. */
	runs: string[];
	/** How many runs of each conversation are open. */
	open: Map<string, number>;
	/** After a result the model says nothing before this. */
	hold?: Promise<void> | undefined;
}

export async function startGroup(size: number, stepsOf: number, redisOptions: string[] = []): Promise<TestGroup> {
	const redis = await startRedis(redisOptions);
	onTestFinished(() => redis.stop());
	const seen: SeenByModel = { answered: new Map(), runs: [], open: new Map() };
	const emulator = await startEmulator({ brain: countingSteps(stepsOf, seen) });
	onTestFinished(() => emulator.close());
	const port = await freePort();
	const hosts = Array.from({ length: size }, (_, at) => `127.0.0.${at + 2}`);
	const folders = hosts.map(() => temporaryFolder());
	const start = (at: number) =>
		serve({
			upstream: emulator.url,
			dataDir: folders[at]!,
			flags: ["--host", hosts[at]!, "--port", `${port}`],
			env: {
				CURSORWIRE_REDIS: redis.url,
				CURSORWIRE_KEY: KEY,
				CURSORWIRE_ALLOW_REMOTE: "1",
				CURSORWIRE_ALLOW_HOSTS: hosts[at]!,
			},
		});
	const gateways = await Promise.all(hosts.map((_, at) => start(at)));
	const url = await startHaproxy(port, hosts);
	return {
		url,
		key: KEY,
		emulator,
		redis,
		seen,
		gateways,
		async startAgain(at) {
			gateways[at] = await start(at);
		},
	};
}

/** Like `steps`, and notes which results came into which run. The user's message is the name of the conversation. */
function countingSteps(count: number, seen: SeenByModel): Brain {
	const { answered, runs, open } = seen;
	return async function* (turn) {
		const name = turn.messages.flatMap(({ role, content }) => (role === "user" ? content : [])).find(isText)!.text;
		const known = resultsSeen(turn);
		runs.push(name);
		open.set(name, (open.get(name) ?? 0) + 1);
		try {
			while (known.length < count) {
				const [answer] = yield { calls: [{ name: "step", arguments: { n: known.length + 1 } }] };
				known.push(answer.text);
				answered.set(answer.text, (answered.get(answer.text) ?? 0) + 1);
				await seen.hold;
			}
			yield { text: known.join(" ") };
		} finally {
			open.set(name, open.get(name)! - 1);
		}
	};
}

const isText = (part: { type: string }): part is { type: "text"; text: string } => part.type === "text";
