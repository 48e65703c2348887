import { describe, expect, it, vi } from "vitest";
import { MOST_TURNS } from "../../src/calibrate/turns.ts";
import { startCalibrationBench } from "./bench.ts";

vi.setConfig({ testTimeout: 60_000 });

describe("calibrating", () => {
	it("finds the one place of system prompts and tools, and the gateway uses it from then on", async () => {
		const { run, emulator, answers } = await startCalibrationBench({
			switches: ["system-prompt=rules", "tools-from=request-context", "tools-twice=stall"],
		});
		const { judgements, turns, account } = await run();
		expect(judgements["system-prompt"]).toMatchObject({ value: "rules" });
		expect(judgements["tools-from"]).toMatchObject({ value: "request-context" });
		expect(judgements["tools-twice"]).toMatchObject({ value: "stall" });
		expect(turns).toBeLessThanOrEqual(MOST_TURNS);
		expect(emulator.prompts().length).toBeLessThanOrEqual(turns);
		expect(answers.read(account)?.answers["system-prompt"]).toMatchObject({ value: "rules", from: "calibrate" });
	});
});
