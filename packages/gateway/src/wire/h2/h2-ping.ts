import type { ClientHttp2Session } from "node:http2";
import type { Clock } from "../../time/clock.ts";

/** When to check that a peer is still there (PING frames, RFC 9113 section 6.7). */
export interface PingOptions {
	/** Time between two pings. */
	intervalMs: number;
	/** Time the peer has to acknowledge a ping. */
	timeoutMs: number;
	clock: Clock;
	/** Called before each ping: a connection without open streams is not pinged. */
	isNeeded(): boolean;
	/** The peer did not acknowledge a ping in time. */
	onTimeout(): void;
}

/**
 * Detects peers that vanished without closing the connection (stopped process, dropped packets), which TCP alone
 * notices only after minutes. One timer per session runs for its whole life, so opening a stream costs nothing.
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

	/** Pings now, unless the acknowledgement of an earlier ping is still awaited. */
	ping(): void {
		if (this.#isStopped || this.#cancelTimeout !== undefined) return;
		const { clock, timeoutMs, onTimeout } = this.#options;
		if (!this.#send(() => this.#acknowledged())) return;
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

	/** Returns false if nothing was sent, which says nothing about the peer: Node sends no ping on a closing session. */
	#send(onAck: () => void): boolean {
		try {
			return this.#session.ping(onAck) === true;
		} catch {
			// `ping()` throws on a destroyed session; here that usually happens in a timer.
			return false;
		}
	}

	// Node also calls this, with an error, when the session ends first. Then there is nothing left to find out.
	#acknowledged(): void {
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
