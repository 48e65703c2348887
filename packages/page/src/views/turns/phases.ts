import type { LaneState, TurnAnswer } from "../../../../gateway/src/page/contract.ts";

/** From one step of a turn to the next, and which colour that has. */
export interface Phase {
	step: string;
	kind: LaneState | "end";
	fromMs: number;
	toMs: number;
}

const KINDS: [RegExp, LaneState | "end"][] = [
	[/think/, "thinking"],
	[/text|first token/, "streaming"],
	[/call|tool/, "tool"],
	[/park|wait/, "waiting"],
	[/retr/, "retrying"],
	[/end|error/, "end"],
];

const kindOf = (step: string): Phase["kind"] => KINDS.find(([pattern]) => pattern.test(step))?.[1] ?? "connecting";

export function phasesOf(steps: TurnAnswer["timeline"], endMs: number): Phase[] {
	return steps.map(({ step, atMs }, index) => ({
		step,
		kind: kindOf(step),
		fromMs: atMs,
		toMs: Math.max(atMs, steps[index + 1]?.atMs ?? endMs),
	}));
}
