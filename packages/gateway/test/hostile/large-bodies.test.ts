// L6: very long prompts and answers do not stop the gateway for others. The upstream is another process, so that what
// is measured here is the gateway and a client that does next to nothing.
import { createHash } from "node:crypto";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Started, startProgram } from "../kit/program.ts";
import { Bench, say } from "./bench.ts";

const bench = new Bench();
let upstream: Started;

beforeAll(async () => {
	upstream = startProgram(["emulate", "--port", "0", "--json", "--brain", "echo"]);
	const [line] = await upstream.prints(/\{.*\}/);
	bench.emulator = { close: async () => {} } as typeof bench.emulator;
	await bench.start({ settings: { upstream: JSON.parse(line).url } });
	expect((await bench.ask(say("hello"))).status).toBe(200);
}, 60_000);
afterAll(() => bench.stop());

/** How long this machine, as busy as it is now, takes to do the plainest work with a body at once: parse and hash it. */
function workAtOnce(body: Buffer): number {
	const begun = performance.now();
	const value = JSON.parse(body.toString());
	createHash("sha256").update(JSON.stringify(value)).digest();
	return performance.now() - begun;
}

async function longestPause(work: () => Promise<unknown>): Promise<number> {
	const delay = monitorEventLoopDelay({ resolution: 2 });
	delay.enable();
	await work();
	delay.disable();
	return delay.max / 1e6;
}

/** The machine adds pauses of its own, so the best of a few tries is what the gateway can do. */
async function bestOf(tries: number, measure: () => Promise<{ pause: number; atOnce: number }>): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let index = 0; index < tries && best > 1; index++) {
		const { pause, atOnce } = await measure();
		best = Math.min(best, pause / atOnce);
	}
	return best;
}

const prose = (size: number) => 'A fox of "quick" habits; línea ñandú.\n'.repeat(size / 38);
const bodies: [string, () => object][] = [
	["one prompt of 20 MB", () => say(prose(20e6))],
	[
		"20 MB in many messages",
		() => ({ model: "composer-1", messages: Array(200).fill({ role: "user", content: prose(1e5) }) }),
	],
];

describe("L6: a request that is very long", () => {
	it.each(bodies)(
		"%s is taken in slices: the longest is shorter than to parse and hash it",
		async (_name, make) => {
			const body = Buffer.from(JSON.stringify(make()));
			const request = bench.chat(body);
			const ratio = await bestOf(4, async () => ({
				atOnce: workAtOnce(body),
				pause: await longestPause(() => bench.answerTo(request)),
			}));
			expect(ratio).toBeLessThan(1);
		},
		120_000,
	);

	it("leaves no memory behind, also when twenty come at once", async () => {
		const request = bench.chat(Buffer.from(JSON.stringify(say(prose(5e6)))));
		const round = () =>
			Promise.all(Array.from({ length: 20 }, () => bench.answerTo(request).then(({ status }) => status)));
		await round();
		const before = process.memoryUsage().rss;
		const statuses = await round();
		expect(new Set(statuses).size).toBe(1);
		await round();
		expect(process.memoryUsage().rss - before).toBeLessThan(512 << 20);
		expect((await bench.ask(say("hello"))).status).toBe(200);
	}, 300_000);
});
