/** Hands values from callbacks to one awaiting reader, in order. */
export class AsyncQueue<T> {
	readonly #values: T[] = [];
	#closed = false;
	#wake: (() => void) | undefined;

	push(value: T): void {
		if (this.#closed) return;
		this.#values.push(value);
		this.#wake?.();
	}

	/** Takes no more values. Those in the queue can still be read. */
	close(): void {
		this.#closed = true;
		this.#wake?.();
	}

	/** The next value, or undefined once the queue is closed and empty. */
	async next(): Promise<T | undefined> {
		while (this.#values.length === 0) {
			if (this.#closed) return undefined;
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
			this.#wake = undefined;
		}
		return this.#values.shift();
	}
}
