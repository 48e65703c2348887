import type { Clock } from "./clock.ts";

/** Something that happens later, unless it is cancelled. */
export interface Delay {
	cancel(): void;
}

/**
 * Delays of one length, with one timer of the clock for all of them: the one that was added first is due first. Most are
 * cancelled long before they are due, and then cost a place in a list.
 */
class DelayLine {
	readonly #clock: Clock;
	readonly #ms: number;
	#oldest: LineDelay | undefined;
	#newest: LineDelay | undefined;
	#cancelTimer: (() => void) | undefined;

	constructor(clock: Clock, ms: number) {
		this.#clock = clock;
		this.#ms = ms;
	}

	add(action: () => void): Delay {
		const delay = new LineDelay(this, this.#clock.now() + this.#ms, action);
		delay.older = this.#newest;
		if (this.#newest) this.#newest.newer = delay;
		else this.#oldest = delay;
		this.#newest = delay;
		if (!this.#cancelTimer) this.#arm(this.#ms);
		return delay;
	}

	/** Without delays there is no timer either. */
	remove(delay: LineDelay): void {
		this.#takeOut(delay);
		if (this.#oldest) return;
		this.#cancelTimer?.();
		this.#cancelTimer = undefined;
	}

	#takeOut(delay: LineDelay): void {
		const { older, newer } = delay;
		if (older) older.newer = newer;
		else this.#oldest = newer;
		if (newer) newer.older = older;
		else this.#newest = older;
		delay.line = undefined;
		delay.older = undefined;
		delay.newer = undefined;
	}

	#arm(ms: number): void {
		this.#cancelTimer = this.#clock.after(ms, () => this.#elapsed());
	}

	/** An action may have added a delay, and with it a timer that is too late for those before it. */
	#armAnew(ms: number): void {
		this.#cancelTimer?.();
		this.#arm(ms);
	}

	#elapsed(): void {
		this.#cancelTimer = undefined;
		const now = this.#clock.now();
		for (let delay = this.#oldest; delay; delay = this.#oldest) {
			if (delay.dueAt > now) return this.#armAnew(delay.dueAt - now);
			this.#takeOut(delay);
			runSafely(delay.action);
		}
	}
}

class LineDelay implements Delay {
	/** Undefined when it is in no line any more. */
	line: DelayLine | undefined;
	readonly dueAt: number;
	readonly action: () => void;
	older: LineDelay | undefined;
	newer: LineDelay | undefined;

	constructor(line: DelayLine, dueAt: number, action: () => void) {
		this.line = line;
		this.dueAt = dueAt;
		this.action = action;
	}

	cancel(): void {
		this.line?.remove(this);
	}
}

/** An exception must not keep the others of the line from their turn. It becomes a warning, as in a timer of the clock. */
function runSafely(action: () => void): void {
	try {
		action();
	} catch (error) {
		process.emitWarning(error instanceof Error ? error : String(error));
	}
}

const lines = new WeakMap<Clock, Map<number, DelayLine>>();

/** Calls `action` after `ms`. For the few lengths that very many delays have. */
export function delay(clock: Clock, ms: number, action: () => void): Delay {
	const line = lines.get(clock)?.get(ms) ?? newLine(clock, ms);
	return line.add(action);
}

function newLine(clock: Clock, ms: number): DelayLine {
	const line = new DelayLine(clock, ms);
	const ofClock = lines.get(clock) ?? new Map<number, DelayLine>();
	lines.set(clock, ofClock.set(ms, line));
	return line;
}
