/** Repeats its last value for a while, however often it is asked. A failure is not repeated. */
export function freshFor<T>(ms: number, read: () => Promise<T>, now: () => number = Date.now): () => Promise<T> {
	return repeat(() => ms, read, now);
}

/** What takes long to read is repeated for longer: so many times as long as it took. */
const TIMES_AS_LONG = 10;

/** The same for a value that may take long to read, so that reading it never takes more than a tenth of the time. */
export function freshByCost<T>(
	{ atLeastMs, atMostMs }: { atLeastMs: number; atMostMs: number },
	read: () => Promise<T>,
	now: () => number = Date.now,
): () => Promise<T> {
	return repeat((tookMs) => Math.min(Math.max(tookMs * TIMES_AS_LONG, atLeastMs), atMostMs), read, now);
}

interface Known<T> {
	/** When it was there, or asked for as long as it is not. */
	at: number;
	/** Undefined while it is being read. */
	freshMs: number | undefined;
	value: Promise<T>;
}

function repeat<T>(freshMs: (tookMs: number) => number, read: () => Promise<T>, now: () => number): () => Promise<T> {
	let known: Known<T> | undefined;
	return () => {
		// A clock that was set back makes nothing fresh for longer.
		const isFresh = known && (known.freshMs === undefined || Math.abs(now() - known.at) <= known.freshMs);
		if (known && isFresh) return known.value;
		const reading: Known<T> = { at: now(), freshMs: undefined, value: read() };
		known = reading;
		reading.value.then(
			() => {
				const asked = reading.at;
				reading.at = now();
				reading.freshMs = freshMs(reading.at - asked);
			},
			() => {
				if (known === reading) known = undefined;
			},
		);
		return reading.value;
	};
}
