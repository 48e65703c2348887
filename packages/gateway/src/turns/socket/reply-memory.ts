interface Remembered {
	id: string;
	record: object;
	bytes: number;
}

/**
 * What the connections that are open remember of their last reply, so that the next message need not repeat the
 * conversation. Where it becomes too much, the connections that have been silent for longest forget theirs; their
 * clients then send the conversation again.
 */
export class ReplyMemory {
	readonly #limit: number;
	/** By connection, the one that has been silent for longest first. */
	readonly #kept = new Map<object, Remembered>();
	#bytes = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** `bytes`: about how long the conversation is. */
	keep(connection: object, id: string, record: object, bytes: number): void {
		this.forget(connection);
		this.#kept.set(connection, { id, record, bytes });
		this.#bytes += bytes;
		for (const oldest of this.#kept.keys()) {
			if (this.#bytes <= this.#limit) return;
			this.forget(oldest);
		}
	}

	find(connection: object, id: string): object | undefined {
		const kept = this.#kept.get(connection);
		return kept?.id === id ? kept.record : undefined;
	}

	forget(connection: object): void {
		this.#bytes -= this.#kept.get(connection)?.bytes ?? 0;
		this.#kept.delete(connection);
	}
}
