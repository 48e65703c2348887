import { GatewayError } from "../turn/error.ts";
import type { Clock } from "./clock.ts";

/** Waits; aborting the signal ends it at once with `cancelled`. */
export function sleep(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal?.aborted) return reject(new GatewayError("cancelled"));
		const onAbort = () => {
			callOff();
			reject(new GatewayError("cancelled"));
		};
		const callOff = clock.after(ms, () => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		});
		signal?.addEventListener("abort", onAbort, { once: true });
	});
}
