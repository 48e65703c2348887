// Real time that knows which of its timers are armed, and who armed them.
import { LeapingClock } from "./leaping-clock.ts";

/** Timers that a connection has for as long as it lives, whether anything runs on it or not. */
const OF_CONNECTIONS = /\/(h2-session|h2-ping|connector)\.ts/;

export class CountingClock extends LeapingClock {
	readonly #armed = new Map<symbol, string>();

	override after(ms: number, callback: () => void): () => void {
		const timer = Symbol();
		const cancel = super.after(ms, () => {
			this.#armed.delete(timer);
			callback();
		});
		this.#armed.set(timer, new Error(`${ms} ms`).stack ?? "");
		return () => {
			this.#armed.delete(timer);
			cancel();
		};
	}

	/** Where the timers were armed that are not of a connection. */
	ofTurns(): string[] {
		return [...this.#armed.values()].filter((stack) => !OF_CONNECTIONS.test(stack.split("\n").slice(2, 4).join()));
	}
}
