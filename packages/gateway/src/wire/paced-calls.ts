/** So much is handed over in one turn of the event loop: some ten milliseconds of work where the messages are tiny. */
export const TURN_BYTES = 128 * 1024;
/** So long all streams together may take in it, and one of them in any case. */
const TURN_MS = 10;
/** What comes in the meantime waits here; beyond this the peer has to wait. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** A piece costs something however short it is. */
const PIECE_BYTES = 64;

/** Where the pieces come from. */
export interface Tap {
	pause(): void;
	resume(): void;
}

/**
 * Calls that hand pieces of a stream over, in their order, and no more of them in one turn of the event loop than others
 * can wait for: one read of a socket may bring megabytes. What has come is kept here and not in the stream it came from,
 * as that forgets it when the connection is lost.
 */
export class PacedCalls {
	readonly #tap: Tap;
	readonly #waiting: { cost: number; call: () => void }[] = [];
	#waitingBytes = 0;
	#turnBytes = 0;
	#isResting = false;
	/** By whoever takes the pieces. */
	#isPaused = false;
	#isShut = false;

	constructor(tap: Tap) {
		this.#tap = tap;
	}

	/** Makes the call at once, or behind those that wait. */
	add(bytes: number, call: () => void): void {
		const cost = bytes + PIECE_BYTES;
		if (this.#waiting.length === 0 && !this.#isResting && !this.#isPaused) return this.#make(cost, call);
		this.#waiting.push({ cost, call });
		this.#waitingBytes += cost;
		if (this.#waitingBytes > MOST_WAITING_BYTES) this.#shut();
	}

	/** The last call of all. It does not wait for itself alone. */
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

	/** None of those that wait is made. */
	clear(): void {
		this.#waiting.length = 0;
	}

	#make(cost: number, call: () => void): void {
		this.#turnBytes += cost;
		call();
		if (this.#turnBytes >= TURN_BYTES) this.#rest();
	}

	#rest(): void {
		if (this.#isResting) return;
		this.#isResting = true;
		inNextTurn(() => {
			this.#isResting = false;
			this.#turnBytes = 0;
			this.#goOn();
		});
	}

	#goOn(): void {
		while (this.#waiting.length > 0 && !this.#isResting && !this.#isPaused) {
			const { cost, call } = this.#waiting.shift()!;
			this.#waitingBytes -= cost;
			this.#make(cost, call);
		}
		if (this.#waiting.length === 0 && !this.#isPaused && this.#isShut) this.#open();
	}

	#shut(): void {
		if (this.#isShut) return;
		this.#isShut = true;
		this.#tap.pause();
	}

	#open(): void {
		this.#isShut = false;
		this.#tap.resume();
	}
}

const resting: (() => void)[] = [];

function inNextTurn(goOn: () => void): void {
	if (resting.push(goOn) === 1) setImmediate(wake);
}

/** Those that rest go on, each once, as far as others can wait for all of them together: the rest in the next turn. */
function wake(): void {
	const end = performance.now() + TURN_MS;
	let woken = 0;
	for (const all = resting.length; woken < all && (woken === 0 || performance.now() < end); woken++) resting[woken]!();
	resting.splice(0, woken);
	if (resting.length > 0) setImmediate(wake);
}
