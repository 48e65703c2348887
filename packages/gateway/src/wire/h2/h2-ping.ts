import type { ClientHttp2Session } from "node:http2";
import type { Clock } from "../../time/clock.ts";

/** When to ask a peer whether it is still there. */
export interface PingOptions {
	/** Time between two pings. */
	intervalMs: number;
	/** Time the peer has to answer one. */
	timeoutMs: number;
	clock: Clock;
	/** Asked before each ping: a connection nobody waits on is left alone. */
	isNeeded(): boolean;
	/** The peer did not answer in time. */
	onTimeout(): void;
}

/**
 * Finds peers that are gone without a word (stopped process, dropped packets): TCP alone would wait for minutes.
 * One timer a session, armed for the whole life of it, so that opening a stream costs nothing here.
 */
export class Pinger {
	readonly #session: ClientHttp2Session;
	readonly #options: PingOptions;
	#isStopped = false;
	#cancelNext: (() => void) | undefined;
	#cancelTimeout: (() => void) | undefined;

	constructor(session: ClientHttp2Session, options: PingOptions) {
		this.#session = session;
		this.#options = options;
		this.#scheduleNext();
	}

	/** Asks now, unless an answer is still awaited. */
	ping(): void {
		if (this.#isStopped || this.#cancelTimeout !== undefined) return;
		const { clock, timeoutMs, onTimeout } = this.#options;
		if (!this.#send(() => this.#answered())) return;
		this.#cancelTimeout = clock.after(timeoutMs, () => {
			this.#cancelTimeout = undefined;
			if (!this.#isStopped) onTimeout();
		});
	}

	stop(): void {
		this.#isStopped = true;
		this.#cancelNext?.();
		this.#cancelTimeout?.();
	}

	/** False if nothing was sent, which says nothing about the peer: Node refuses on a closing session. */
	#send(onAnswer: () => void): boolean {
		try {
			return this.#session.ping(onAnswer) === true;
		} catch {
			// On a destroyed session `ping()` throws, here as a rule in a timer.
			return false;
		}
	}

	// Also called with an error when the session ends first; then there is nothing left to find out.
	#answered(): void {
		this.#cancelTimeout?.();
		this.#cancelTimeout = undefined;
	}

	#scheduleNext(): void {
		this.#cancelNext = this.#options.clock.after(this.#options.intervalMs, () => {
			if (this.#isStopped) return;
			this.#scheduleNext();
			if (this.#options.isNeeded()) this.ping();
		});
	}
}
