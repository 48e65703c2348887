/**
 * Work that takes long where a request is huge, as a generator: it yields wherever others may have their turn. What it
 * computes does not depend on whether it is run at once or in slices.
 */
export type Sliced<T> = Generator<undefined, T, undefined>;

/** When a slice has lasted long enough, and how to wait for the next one. */
export interface LoopTurns {
	/** Milliseconds. */
	now(): number;
	/** Resolves when everybody else had a turn. */
	next(): Promise<void>;
}

/** After so long others have their turn. A client that streams does not notice such a pause. */
export const SLICE_MS = 10;
/** About how many characters or bytes of plain work, such as hashing, fit into a few milliseconds. */
export const SLICE_LENGTH = 1 << 18;

/** All of it in one go. */
export function atOnce<T>(work: Sliced<T>): T {
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
	}
}

/** Piece by piece, with pauses for everybody else. What is short takes no pause at all. */
export async function inSlices<T>(work: Sliced<T>, turns: LoopTurns = eventLoop): Promise<T> {
	let since = turns.now();
	for (;;) {
		const { done, value } = work.next();
		if (done) return value;
		if (turns.now() - since < SLICE_MS) continue;
		await turns.next();
		since = turns.now();
	}
}

/** Texts are hashed, counted and escaped in stretches of this many characters. */
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

/** One slice in each turn of the event loop, whoever it belongs to: twenty huge requests pause it no longer than one. */
export class FairTurns implements LoopTurns {
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

const eventLoop = new FairTurns(
	() => performance.now(),
	// The first of these still belongs to the turn that something long may just have happened in.
	(release) => void setImmediate(() => setImmediate(release)),
);

/** Resolves when everybody else had a turn: before long work that follows on something long. */
export const nextTurn = (): Promise<void> => eventLoop.next();
