import { RpcFailure } from "../rpc/failure.ts";
import type { Action, Brain, Turn } from "./brain.ts";

const CANCELLED = Symbol("cancelled by the client");

/**
 * Runs a brain to its end: each action is played, and what comes of it is handed back. `cancelled` stops it in the
 * middle of anything.
 */
export async function runBrain(
	brain: Brain,
	turn: Turn,
	play: (action: Action) => Promise<unknown>,
	cancelled: Promise<void> = new Promise(() => {}),
): Promise<void> {
	const actions = brain(turn);
	const stop = cancelled.then((): typeof CANCELLED => CANCELLED);
	try {
		let resumeWith: unknown;
		for (;;) {
			const next = await Promise.race([nextAction(actions, resumeWith), stop]);
			if (next === CANCELLED || next.done) return;
			resumeWith = await Promise.race([play(next.value), stop]);
			if (resumeWith === CANCELLED) return;
		}
	} finally {
		// Lets the brain's own finally blocks run; nobody waits for a brain that is stuck.
		actions.return().catch(() => {});
	}
}

async function nextAction(actions: AsyncGenerator<Action, void, unknown>, resumeWith: unknown) {
	try {
		return await actions.next(resumeWith);
	} catch (error) {
		throw new RpcFailure("internal", `the brain failed: ${error instanceof Error ? error.message : String(error)}`);
	}
}
