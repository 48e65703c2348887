/** Repeats its last value for a while, however often it is asked. A failure is not repeated. */
export function freshFor<T>(ms: number, read: () => Promise<T>, now: () => number = Date.now): () => Promise<T> {
	let known: { at: number; value: Promise<T> } | undefined;
	return () => {
		const at = now();
		// A clock that was set back makes nothing fresh for longer.
		if (!known || Math.abs(at - known.at) > ms) {
			const reading = { at, value: read() };
			known = reading;
			reading.value.catch(() => {
				if (known === reading) known = undefined;
			});
		}
		return known.value;
	};
}
