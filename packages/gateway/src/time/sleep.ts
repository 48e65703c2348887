import type { Clock } from "./clock.ts";

/** Resolves after `ms`. Aborting the signal ends the wait at once: the promise then rejects with the signal's reason. */
export function sleep(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(signal.reason);
		const onAbort = () => {
			cancelTimer();
			reject(signal?.reason);
		};
		const cancelTimer = clock.after(ms, () => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		});
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}
