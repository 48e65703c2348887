/** Something that hands on, at the end of this turn of the event loop, what has come until then. */
export interface Flushable {
	/** Must not throw. */
	flush(): void;
}

const queued: Flushable[] = [];

/**
 * Flushes once for all that one turn of the event loop brings: frames that arrived together leave together, and a
 * thousand streams cost one callback. What is queued by a flush is flushed in the same turn.
 */
export function flushSoon(target: Flushable): void {
	if (queued.push(target) === 1) setImmediate(flushNow);
}

/** Flushes what is queued before this iteration goes on with something that takes longer. */
export function flushNow(): void {
	for (let index = 0; index < queued.length; index++) queued[index]!.flush();
	queued.length = 0;
}
