import { describe, expect, it } from "vitest";
import type { Calibration } from "./answers.ts";
import { merged } from "./shared-answers.ts";

const day = (number: number) => `2026-11-0${number}T00:00:00.000Z`;
const answer = (value: string, at: number) => ({ value, sure: "seen" as const, from: "traffic" as const, at: day(at) });
const dropped = (value: string, at: number) => ({ value, shown: "other", at: day(at) });
const known = (parts: Partial<Calibration>): Calibration => ({
	clientVersion: "1",
	answers: {},
	dropped: {},
	...parts,
});

describe("what two gateways know", () => {
	it.each<[string, Partial<Calibration>, Partial<Calibration>, Partial<Calibration>]>([
		[
			"is all that one of them knows",
			{ answers: { usage: answer("at-end", 1) } },
			{ answers: { "model-form": answer("id", 2) } },
			{ answers: { usage: answer("at-end", 1), "model-form": answer("id", 2) } },
		],
		[
			"is the newer answer",
			{ answers: { usage: answer("at-end", 1) } },
			{ answers: { usage: answer("none", 2) } },
			{ answers: { usage: answer("none", 2) } },
		],
		[
			"is no answer that was dropped since",
			{ answers: { usage: answer("at-end", 1) } },
			{ dropped: { usage: dropped("at-end", 2) } },
			{ dropped: { usage: dropped("at-end", 2) } },
		],
		[
			"is an answer that was given after one was dropped",
			{ answers: { usage: answer("at-end", 3) } },
			{ dropped: { usage: dropped("at-end", 2) } },
			{ answers: { usage: answer("at-end", 3) } },
		],
		[
			"is the answer that took the place of the dropped one, and both are told",
			{ answers: { usage: answer("none", 2) }, dropped: { usage: dropped("at-end", 2) } },
			{ answers: { usage: answer("at-end", 1) } },
			{ answers: { usage: answer("none", 2) }, dropped: { usage: dropped("at-end", 2) } },
		],
		[
			"does not depend on who asks when both learnt at the same moment",
			{ answers: { usage: answer("at-end", 1) } },
			{ answers: { usage: answer("none", 1) } },
			{ answers: { usage: answer("none", 1) } },
		],
	])("%s", (_name, one, other, both) => {
		expect(merged(known(one), known(other))).toEqual(known(both));
		expect(merged(known(other), known(one))).toEqual(known(both));
		expect(merged(known(both), known(one))).toEqual(known(both));
	});
});
