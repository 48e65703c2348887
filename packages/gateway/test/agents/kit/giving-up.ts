// An upstream that fails for good: an agent must not hammer it, and must tell its user in words.
import { beforeAll, describe, expect, test } from "vitest";
import { DEFAULT_RUN_LIMITS } from "../../../src/upstream/run/run-limits.ts";
import { runsOf } from "../../faults/failing-upstream.ts";
import { type Agent, APIS } from "./agent.ts";
import { installAgent } from "./install.ts";
import { openRig } from "./rig.ts";

const FAILURES = [
	["resets every stream", "reset@headers"],
	["answers 503", "status=503@headers"],
	["cuts every answer in the middle", "cut@frame:6"],
] as const;

export function testGivingUp({ name, package: wanted, setups }: Agent): void {
	let program: string[];
	beforeAll(async () => {
		program = await installAgent(wanted);
	});
	describe.each(setups)(`${name}, when Cursor fails for good`, (setup) => {
		test.each(FAILURES)(`which %s, gives up and says why (${APIS[setup.api]})`, async (_, fault) => {
			const rig = await openRig({
				...{ program, setup, settings: { http1: false } },
				limits: { backoffMs: DEFAULT_RUN_LIMITS.backoffMs },
				scripts: {
					"Say something": () =>
						async function* () {
							for (const word of "one two three four five six seven eight".split(" ")) {
								yield { text: `${word} ` };
								yield { delay: 5 };
							}
						},
				},
			});
			rig.emulator.addFault(fault);
			const { code, output } = await rig.start("Say something.");
			const [requests, runs] = [rig.answers.length, runsOf(rig.emulator)];
			console.log(`${name}, ${fault}: ${requests} requests, ${runs} runs, exit code ${code}`);
			expect(output).toContain("Cursor keeps failing");
			expect(code).not.toBe(0);
			expect(runs).toBeLessThanOrEqual(1.2 * requests);
		});
	});
}
