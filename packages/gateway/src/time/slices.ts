import type { Soon } from "./soon.ts";

/**
 * Work that takes long for a huge request, written as a generator: it yields wherever other work may run in between.
 * The result does not depend on whether it is run at once or in slices.
 */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** Tells how long a slice has lasted, and waits for the next one. */
export interface SliceScheduler {
	/** Milliseconds. */
	now(): number;
	/** Resolves when other work has had a chance to run. */
	next(): Promise<void>;
}

/** How long a slice lasts. A client that receives a stream does not notice a pause of this length. */
export const SLICE_MS = 10;
/** About how many characters or bytes simple work, such as hashing, handles in a few milliseconds. */
export const SLICE_LENGTH = 1 << 18;

/** Runs all of the work without a pause. */
export function atOnce<T>(work: Sliced<T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** Runs the work in slices, with pauses for other work. Short work is done when this returns. */
export function inSlices<T>(work: Sliced<T>, scheduler: SliceScheduler = eventLoop): Soon<T> {
	const first = slice(work, scheduler);
	return first.done ? first.value : inFurtherSlices(work, scheduler);
}

async function inFurtherSlices<T>(work: Sliced<T>, scheduler: SliceScheduler): Promise<T> {
	for (;;) {
		await scheduler.next();
		const next = slice(work, scheduler);
		if (next.done) return next.value;
	}
}

/** Works until the slice is over or everything is done. */
function slice<T>(work: Sliced<T>, scheduler: SliceScheduler): IteratorResult<undefined, T> {
	const since = scheduler.now();
	for (;;) {
		const step = work.next();
		if (step.done || scheduler.now() - since >= SLICE_MS) return step;
	}
}

/** A text in stretches of at most this many characters, without cutting a surrogate pair. */
export function* stretches(text: string, length = SLICE_LENGTH): Generator<string, void, undefined> {
	if (text.length <= length) return yield text;
	for (let start = 0; start < text.length; ) {
		let end = Math.min(start + length, text.length);
		if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
		yield text.slice(start, end);
		start = end;
	}
}

const isHighSurrogate = (code: number) => (code & 0xfc00) === 0xd800;

/** Allows one slice per iteration of the event loop in all, so twenty huge requests block it no longer than one. */
export class FairScheduler implements SliceScheduler {
	readonly #waiting: (() => void)[] = [];
	readonly #schedule: (release: () => void) => void;
	readonly now: () => number;

	constructor(now: () => number, schedule: (release: () => void) => void) {
		this.now = now;
		this.#schedule = schedule;
	}

	next(): Promise<void> {
		return new Promise((resolve) => {
			this.#waiting.push(resolve);
			if (this.#waiting.length === 1) this.#schedule(this.#release);
		});
	}

	readonly #release = () => {
		this.#waiting.shift()?.();
		if (this.#waiting.length > 0) this.#schedule(this.#release);
	};
}

const eventLoop = new FairScheduler(
	() => performance.now(),
	// The first one still runs in the current iteration, in which long work may just have happened.
	(release) => void setImmediate(() => setImmediate(release)),
);

/** Resolves when other work has had a chance to run. To be awaited between two long pieces of work. */
export const yieldToEventLoop = (): Promise<void> => eventLoop.next();
