/** Time as a parameter, so that tests can control it. */
export interface Clock {
	/** Milliseconds that never run backwards. */
	now(): number;
	/** Calls `callback` once after `ms`. The returned function cancels it. */
	after(ms: number, callback: () => void): () => void;
}

/**
 * Real time. A pending timer never keeps the process alive, and an exception in a callback becomes a warning: thrown in
 * a plain timer it would end the process, as `session.ping()` on a destroyed session once did.
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
