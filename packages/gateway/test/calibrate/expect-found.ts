import { expect } from "vitest";
import { plannedTurns } from "../../src/calibrate/plan.ts";
import { expectCoreSet } from "./core-set.ts";
import { startCalibrationRig } from "./rig.ts";
import {
	asOptions,
	hiddenReason,
	isHopeless,
	questionOf,
	SWITCH_NAMES,
	type SwitchSettings,
} from "./switch-settings.ts";

/**
 * Whatever can be found out of these settings is found, within the announced turns, and afterwards the gateway works
 * with such a server; where nothing can, that is said.
 */
export async function expectFound(settings: SwitchSettings): Promise<void> {
	const rig = await startCalibrationRig({ switches: asOptions(settings), strict: true });
	const { emulator } = rig;
	const found = await rig.run({ all: true });
	const wanted: Record<string, unknown> = {};
	const given: Record<string, unknown> = {};
	for (const name of SWITCH_NAMES) {
		if (hiddenReason(name, settings) !== undefined) continue;
		const judged = found.judgements[questionOf(name)];
		wanted[name] = settings[name];
		given[name] = "value" in judged ? judged.value : judged.unknown;
	}
	expect(given).toEqual(wanted);
	expect(found.turns).toBeLessThanOrEqual(plannedTurns({ all: true }).mostTurns);
	expect(emulator.prompts().length).toBeLessThanOrEqual(found.turns);
	expect(found.problems).toEqual([]);
	expect(found.hopeless !== undefined).toBe(isHopeless(settings));
	if (!isHopeless(settings)) await expectCoreSet(emulator, rig.settings);
}
