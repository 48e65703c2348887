interface Waiter<T> {
	resolve(value: T): void;
	reject(error: Error): void;
}

/** Requests to the client that are still without an answer, by their id. */
export class PendingAnswers<T> {
	readonly #waiters = new Map<number, Waiter<T>>();
	#broken: Error | undefined;

	/** Sends a request and resolves with its answer. */
	ask(id: number, send: () => void): Promise<T> {
		if (this.#broken) return Promise.reject(this.#broken);
		return new Promise((resolve, reject) => {
			this.#waiters.set(id, { resolve, reject });
			send();
		});
	}

	/** Returns false if no request with this id is open. */
	answer(id: number, value: T): boolean {
		const waiter = this.#waiters.get(id);
		this.#waiters.delete(id);
		waiter?.resolve(value);
		return waiter !== undefined;
	}

	/** No more answers will come: all open requests fail, and so do later ones. */
	break(error: Error): void {
		this.#broken = error;
		for (const waiter of this.#waiters.values()) waiter.reject(error);
		this.#waiters.clear();
	}
}
