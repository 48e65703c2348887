// K6: the clock is set while an answer is under way.
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { until } from "../kit/cleanup.ts";
import { say } from "../kit/hostile/rig.ts";
import { serveHeldAnswer, WHOLE_ANSWER } from "./held-answer.ts";

const CLOCK = fileURLToPath(new URL("./clock.mjs", import.meta.url));
const DAY = 24 * 60 * 60 * 1000;

it.each([DAY, -DAY])("K6: a step of %i ms during a turn cuts nothing, and costs one renewal at most", async (step) => {
	const { emulator, ask, program, answer, release } = await serveHeldAnswer(CLOCK, { STEP: String(step) });
	const asked = () => emulator.stats().auth.exchanges + emulator.stats().auth.refreshes;
	const before = asked();
	let seen = "";
	program.child.stderr!.on("data", (chunk) => {
		seen += chunk;
	});
	program.child.kill("SIGUSR2");
	await until(() => seen.includes("the clock was set"));
	const answers = await Promise.all(Array.from({ length: 20 }, () => ask(say("hello", { stream: false }))));
	expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
	release();
	expect(await answer.text()).toMatch(WHOLE_ANSWER);
	expect(asked() - before).toBeLessThanOrEqual(1);
	program.child.kill("SIGTERM");
	expect((await program.ended).code).toBe(0);
});
