export interface FrameRingLimits {
	frames: number;
	/** Of all frames together. */
	characters: number;
}

/** The last frames that pages were sent, so that a page that was cut off can go on where it was. */
export class FrameRing {
	readonly #limits: FrameRingLimits;
	#frames: string[] = [];
	#characters = 0;
	#last = 0;

	constructor(limits: FrameRingLimits) {
		this.#limits = limits;
	}

	/** The number of the newest frame; 0 if there was none yet. */
	get last(): number {
		return this.#last;
	}

	/** Returns the number of the frame that `write` has written. */
	add(write: (number: number) => string): string {
		const frame = write(++this.#last);
		this.#frames.push(frame);
		this.#characters += frame.length;
		while (this.#frames.length > this.#limits.frames || this.#characters > this.#limits.characters) {
			this.#characters -= this.#frames.shift()!.length;
		}
		return frame;
	}

	/** The frames after this one; undefined if they are not all there any more, or never were. */
	after(number: number): readonly string[] | undefined {
		const missing = this.#last - number;
		if (!Number.isSafeInteger(number) || missing < 0 || missing > this.#frames.length) return undefined;
		return this.#frames.slice(this.#frames.length - missing);
	}
}
