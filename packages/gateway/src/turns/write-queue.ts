/** Something with text to write at the end of this turn of the event loop. */
export interface Flushable {
	flush(): void;
}

let queued: Flushable[] = [];

/**
 * Flushes once for all that one turn of the event loop brings: frames that arrived together leave together, and a
 * thousand streams cost one callback.
 */
export function flushSoon(target: Flushable): void {
	if (queued.push(target) === 1) setImmediate(flushAll);
}

function flushAll(): void {
	const batch = queued;
	queued = [];
	for (const target of batch) target.flush();
}
