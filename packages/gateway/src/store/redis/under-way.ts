/** Writes that are not confirmed yet, by name: a read of what this gateway has just written waits for them. */
export class UnderWay {
	readonly #writes = new Map<string, Promise<unknown>>();

	async write<T>(caller: string, name: string, write: Promise<T>): Promise<T> {
		const place = JSON.stringify([caller, name]);
		this.#writes.set(place, write);
		try {
			return await write;
		} finally {
			if (this.#writes.get(place) === write) this.#writes.delete(place);
		}
	}

	/** Resolves even if the write failed: its caller gets the error. */
	async written(caller: string, name: string): Promise<void> {
		await this.#writes.get(JSON.stringify([caller, name]))?.catch(() => {});
	}
}
