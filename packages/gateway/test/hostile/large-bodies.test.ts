// L6: very long prompts and answers do not stop the gateway for others. The upstream is another process, so that what
// is measured here is the gateway and a client that does next to nothing.
import { createHash } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { Rig, say } from "../kit/hostile/rig.ts";
import { startProgram } from "../kit/program.ts";
import { longestPause, threadMs } from "./loop-delay.ts";

async function startRig(): Promise<Rig> {
	const upstream = startProgram(["emulate", "--port", "0", "--json", "--brain", "echo"]);
	const [line] = await upstream.prints(/\{.*\}/);
	const rig = new Rig();
	await rig.start({ settings: { upstream: JSON.parse(line).url } });
	onTestFinished(() => rig.stop());
	expect((await rig.ask(say("hello"))).status).toBe(200);
	return rig;
}

/** The longest pause, as a share of the plainest work with the body in one go. A tenth to a fifth is usual. */
const ENOUGH = 0.4;

/** How long it takes to do the plainest work with a body at once: to parse and to hash it. */
function workAtOnce(body: Buffer): number {
	const begun = threadMs();
	const value = JSON.parse(body.toString());
	createHash("sha256").update(JSON.stringify(value)).digest();
	return threadMs() - begun;
}

/** The machine adds pauses of its own, to collect garbage for one; the best of a few tries is what the gateway can do. */
async function bestOf(tries: number, measure: () => Promise<number>): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let index = 0; index < tries && best > ENOUGH; index++) best = Math.min(best, await measure());
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
		"%s is taken in slices: the longest is far shorter than to parse and hash it",
		async (_name, make) => {
			const rig = await startRig();
			const body = Buffer.from(JSON.stringify(make()));
			const request = rig.chat(body);
			const ratio = await bestOf(4, async () => {
				const atOnce = workAtOnce(body);
				const { pause } = await longestPause(() => rig.answerTo(request));
				return pause / atOnce;
			});
			expect(ratio).toBeLessThan(ENOUGH);
		},
	);

	it("leaves no memory behind, also when twenty come at once", async () => {
		const rig = await startRig();
		const request = rig.chat(Buffer.from(JSON.stringify(say(prose(5e6)))));
		const round = () =>
			Promise.all(Array.from({ length: 20 }, () => rig.answerTo(request).then(({ status }) => status)));
		await round();
		const before = process.memoryUsage().rss;
		const statuses = await round();
		expect(new Set(statuses).size).toBe(1);
		await round();
		expect(process.memoryUsage().rss - before).toBeLessThan(512 << 20);
		expect((await rig.ask(say("hello"))).status).toBe(200);
	});
});
