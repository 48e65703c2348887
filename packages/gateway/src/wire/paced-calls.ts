/** How much is delivered per iteration of the event loop: about ten milliseconds of work if the messages are tiny. */
export const ITERATION_BYTES = 128 * 1024;
/** How long all streams together may take per iteration. At least one of them always proceeds. */
const ITERATION_MS = 10;
/** How much may wait here for a later iteration; beyond this the source is paused, so that the peer has to wait. */
const MAX_WAITING_BYTES = ITERATION_BYTES;
/** What a piece costs in addition to its length. */
const PIECE_BYTES = 64;

interface WaitingCall {
	cost: number;
	call(): void;
}

/** The source of the pieces. */
export interface Pausable {
	pause(): void;
	resume(): void;
}

/**
 * Makes the calls that deliver the pieces of a stream, in order, but only a limited amount per iteration of the event
 * loop: one read of a socket can bring megabytes, and other streams must not wait for all of them. Pieces wait here and
 * not in the stream that they came from, because Node discards them there when the connection is lost.
 */
export class PacedCalls {
	readonly #source: Pausable;
	readonly #waiting: WaitingCall[] = [];
	#waitingBytes = 0;
	#iterationBytes = 0;
	#isResting = false;
	/** Paused by the receiver of the pieces. */
	#isPaused = false;
	#isShut = false;

	constructor(source: Pausable) {
		this.#source = source;
	}

	/** Makes the call with this piece at once, or after those that wait already. */
	add<T>(bytes: number, call: (piece: T) => void, piece: T): void {
		const cost = bytes + PIECE_BYTES;
		if (this.#waiting.length === 0 && !this.#isResting && !this.#isPaused) {
			this.#iterationBytes += cost;
			call(piece);
			return this.#restIfDue();
		}
		this.#waiting.push({ cost, call: () => call(piece) });
		this.#waitingBytes += cost;
		if (this.#waitingBytes > MAX_WAITING_BYTES) this.#shut();
	}

	/** Adds the last call. It only waits if other calls do. */
	addLast(call: () => void): void {
		if (this.#waiting.length === 0) call();
		else this.#waiting.push({ cost: 0, call });
	}

	pause(): void {
		this.#isPaused = true;
		this.#shut();
	}

	resume(): void {
		this.#isPaused = false;
		if (this.#waiting.length > 0) this.#rest();
		else this.#open();
	}

	/** Drops the calls that wait. */
	clear(): void {
		this.#waiting.length = 0;
	}

	#restIfDue(): void {
		if (this.#iterationBytes >= ITERATION_BYTES) this.#rest();
	}

	#rest(): void {
		if (this.#isResting) return;
		this.#isResting = true;
		inNextIteration(() => {
			this.#isResting = false;
			this.#iterationBytes = 0;
			this.#goOn();
		});
	}

	#goOn(): void {
		while (this.#waiting.length > 0 && !this.#isResting && !this.#isPaused) {
			const { cost, call } = this.#waiting.shift()!;
			this.#waitingBytes -= cost;
			this.#iterationBytes += cost;
			call();
			this.#restIfDue();
		}
		if (this.#waiting.length === 0 && !this.#isPaused && this.#isShut) this.#open();
	}

	#shut(): void {
		if (this.#isShut) return;
		this.#isShut = true;
		this.#source.pause();
	}

	#open(): void {
		this.#isShut = false;
		this.#source.resume();
	}
}

const resting: (() => void)[] = [];

function inNextIteration(goOn: () => void): void {
	if (resting.push(goOn) === 1) setImmediate(wake);
}

/** Lets each resting stream continue once, until the time is used up. The others follow in the next iteration. */
function wake(): void {
	const end = performance.now() + ITERATION_MS;
	let woken = 0;
	for (const all = resting.length; woken < all && (woken === 0 || performance.now() < end); woken++) resting[woken]!();
	resting.splice(0, woken);
	if (resting.length > 0) setImmediate(wake);
}
