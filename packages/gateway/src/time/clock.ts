/** Time as a value, so that tests can move it. */
export interface Clock {
	/** Milliseconds that never run backwards. */
	now(): number;
	/** Runs `callback` once after `ms`; the returned function calls it off. */
	after(ms: number, callback: () => void): () => void;
}

/**
 * Real time. Two promises every user relies on: a pending timer never keeps the process alive, and an exception in
 * a callback becomes a warning. Nothing catches what a bare timer throws: it would end the process (and did, with
 * `session.ping()` on a destroyed session).
 */
export const systemClock: Clock = {
	now: () => performance.now(),
	after(ms, callback) {
		const timer = setTimeout(() => {
			try {
				callback();
			} catch (error) {
				process.emitWarning(error instanceof Error ? error : String(error));
			}
		}, ms);
		timer.unref();
		return () => clearTimeout(timer);
	},
};
