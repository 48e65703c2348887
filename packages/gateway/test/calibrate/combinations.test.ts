// In `npm test` a few combinations in which every value occurs; all of them with `npm run test:calibrate`.
import { describe, expect, it } from "vitest";
import { coveringCombinations, randomCombinations, singleSettings, visibleIn } from "./combinations.ts";
import { expectFound } from "./expect-found.ts";
import { SWITCH_NAMES, valuesOf, withSettings } from "./switch-settings.ts";

const RANDOM = Number(process.env.CURSORWIRE_CALIBRATE_COMBINATIONS ?? 0);
const SEED = Number(process.env.CURSORWIRE_CALIBRATE_SEED ?? 2_026);

describe("calibrate finds", () => {
	it.each(coveringCombinations().map((settings, index) => ({ index, settings })))(
		"combination $index of those in which every value occurs",
		({ settings }) => expectFound(settings),
	);

	it("what is named as hopeless, where both protocols are missing", () =>
		expectFound(withSettings({ "agent-service": "unimplemented", "chat-service": "deprecated" })));

	it("every value of every switch in one combination at least, but for what nobody can make happen", () => {
		const seen = new Set(coveringCombinations().flatMap(visibleIn));
		const all = SWITCH_NAMES.flatMap((name) => valuesOf(name).map((value) => `${name}=${value}`));
		const missing = all.filter((setting) => !seen.has(setting));
		expect(missing).toEqual([
			...["unknown-query-answer=any", "unknown-query-answer=strict"],
			...["sign-in-policy=open", "sign-in-policy=refused"],
			...["long-conversation=kept", "long-conversation=compacted", "long-conversation=refused"],
		]);
	});
});

describe.runIf(RANDOM > 0)("calibrate finds, at length", () => {
	it.each(singleSettings())("$title", ({ settings }) => expectFound(settings));

	it.each(randomCombinations(RANDOM, SEED).map((settings, index) => ({ index, settings })))(
		`random combination $index of seed ${SEED}`,
		({ settings }) => expectFound(settings),
	);
});
