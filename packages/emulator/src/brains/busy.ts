import type { Brain } from "./brain.ts";
import { demo } from "./demo.ts";

const FIRST_TOKEN_MS = [300, 1_200] as const;
const WORD_MS = [20, 90] as const;
const FAILURE = /^\s*fail:\s*(.+)/i;

/** The demo at the pace of a real model, so that somebody who looks can see each step. It fails when it is told to. */
export const busy: Brain = async function* (turn) {
	yield { delay: between(FIRST_TOKEN_MS) };
	const failure = turn.resumed ? undefined : FAILURE.exec(turn.prompt)?.[1];
	if (failure !== undefined) {
		yield { error: { code: "resource_exhausted", message: failure } };
		return;
	}
	const actions = demo(turn);
	let result: unknown;
	for (let step = await actions.next(); !step.done; step = await actions.next(result)) {
		result = yield step.value;
		if (step.value.text !== undefined || step.value.thinking !== undefined) yield { delay: between(WORD_MS) };
	}
};

const between = ([least, most]: readonly [number, number]): number =>
	Math.round(least + Math.random() * (most - least));
