import { ClientGone } from "../bidi/client-gone.ts";
import { RpcFailure } from "../rpc/failure.ts";
import type { Action, Brain, Turn } from "./brain.ts";

const CANCELLED = Symbol("cancelled by the client");

/**
 * Runs a brain to its end: plays each action and resumes the brain with the outcome. It stops at once when `cancelled`
 * resolves or the client leaves.
 */
export async function runBrain(
	brain: Brain,
	turn: Turn,
	play: (action: Action) => Promise<unknown>,
	cancelled: Promise<void> = new Promise(() => {}),
): Promise<void> {
	const actions = begin(brain, turn);
	const stop = Promise.race([cancelled.then((): typeof CANCELLED => CANCELLED), clientLeaves(turn.signal)]);
	stop.catch(() => {});
	try {
		let resumeWith: unknown;
		for (;;) {
			const next = await Promise.race([nextAction(actions, resumeWith), stop]);
			if (next === CANCELLED || next.done) return;
			resumeWith = await Promise.race([play(next.value), stop]);
			if (resumeWith === CANCELLED) return;
		}
	} finally {
		void end(actions);
	}
}

function begin(brain: Brain, turn: Turn): AsyncGenerator<Action, void, unknown> {
	let actions: AsyncGenerator<Action, void, unknown>;
	try {
		actions = brain(turn);
	} catch (error) {
		throw brainFailed(error);
	}
	if (typeof actions?.next === "function") return actions;
	throw brainFailed("it returned no generator (async function* brain(turn) { … })");
}

async function nextAction(actions: AsyncGenerator<Action, void, unknown>, resumeWith: unknown) {
	let next: IteratorResult<Action, void>;
	try {
		next = await actions.next(resumeWith);
	} catch (error) {
		throw brainFailed(error);
	}
	if (!next.done && (typeof next.value !== "object" || next.value === null)) {
		throw brainFailed(`it yielded ${String(next.value)}, which is not an action`);
	}
	return next;
}

/** Lets the brain's finally blocks run. Not awaited by the turn, because a brain may be stuck. */
async function end(actions: AsyncGenerator<Action, void, unknown>): Promise<void> {
	try {
		await actions.return?.();
	} catch {
		// The turn is over, so the error has no place to go.
	}
}

function clientLeaves(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		if (signal.aborted) reject(new ClientGone());
		signal.addEventListener("abort", () => reject(new ClientGone()), { once: true });
	});
}

function brainFailed(reason: unknown): RpcFailure {
	return new RpcFailure("internal", `the brain failed: ${reason instanceof Error ? reason.message : String(reason)}`);
}
