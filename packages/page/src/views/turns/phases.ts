import type { LaneState, TurnAnswer } from "../../../../gateway/src/page/contract.ts";

/** From one step of a turn to the next, and which colour that has. */
export interface Phase {
	step: string;
	kind: LaneState | "end" | "error";
	fromMs: number;
	/** Undefined: it is the last. */
	toMs?: number;
}

const KINDS: [RegExp, Phase["kind"]][] = [
	[/think/, "thinking"],
	[/text|first token/, "streaming"],
	[/call|tool/, "tool"],
	[/park|wait/, "waiting"],
	[/retr/, "retrying"],
	[/end/, "end"],
	[/error/, "error"],
];

const kindOf = (step: string): Phase["kind"] => KINDS.find(([pattern]) => pattern.test(step))?.[1] ?? "connecting";

export function phasesOf(steps: TurnAnswer["timeline"]): Phase[] {
	return steps.map(({ step, atMs }, index) => {
		const next = steps[index + 1];
		return { step, kind: kindOf(step), fromMs: atMs, ...(next && { toMs: Math.max(atMs, next.atMs) }) };
	});
}
