import type { Soon } from "../../time/soon.ts";
import { WireError } from "../errors.ts";
import type { StreamHandler, WireRequest, WireStream } from "../stream.ts";
import { H2Session, type H2SessionOptions } from "./h2-session.ts";

/** How the sessions to one peer are used. */
export interface H2LaneOptions extends H2SessionOptions {
	/** An older session gets no new streams. */
	maxAgeMs: number;
	/** Sessions held at once; beyond that requests wait for a free slot. */
	maxSessions: number;
	/** How long a request may wait for a free slot. */
	queueTimeoutMs: number;
}

interface Waiter {
	request: WireRequest;
	handler: StreamHandler;
	resolve(stream: WireStream): void;
	reject(error: unknown): void;
}

/** Assumed until a peer has sent its SETTINGS: the smallest limit that RFC 9113 section 6.5.2 recommends. */
const ASSUMED_LIMIT = 100;
const MAX_PING_INTERVAL_MS = 10 * 60_000;

/** How often a peer is pinged. Kept per host, so that it outlives the lane. */
export interface PingPace {
	intervalMs: number;
}

/** All sessions to one origin for one key, and the requests that wait for one. */
export class H2Lane {
	readonly #origin: URL;
	readonly #options: H2LaneOptions;
	readonly #pace: PingPace;
	readonly #onEmpty: () => void;
	readonly #sessions = new Set<H2Session>();
	readonly #waiters: Waiter[] = [];
	#connecting = 0;
	#closedBecause: WireError | undefined;
	#usualLimit = ASSUMED_LIMIT;

	/** `onEmpty` is called when neither a session nor a request is left. */
	constructor(origin: URL, options: H2LaneOptions, pace: PingPace, onEmpty: () => void) {
		this.#origin = origin;
		this.#options = options;
		this.#pace = pace;
		this.#onEmpty = onEmpty;
	}

	get isEmpty(): boolean {
		return this.#sessions.size + this.#connecting + this.#waiters.length === 0;
	}

	get sessions(): ReadonlySet<H2Session> {
		return this.#sessions;
	}

	get connecting(): number {
		return this.#connecting;
	}

	get waiting(): number {
		return this.#waiters.length;
	}

	open(request: WireRequest, handler: StreamHandler): Soon<WireStream> {
		const session = this.#sessionWithSlot();
		return session === undefined ? this.#wait(request, handler) : session.open(request, handler);
	}

	/** Accepts no further requests and rejects those that wait for a session. Open streams may finish. */
	drain(reason: WireError): void {
		this.#closedBecause = reason;
		this.#rejectWaiters(reason);
		for (const session of this.#sessions) session.drain();
	}

	/** Ends the streams that are still open after `drain`. */
	destroy(reason: WireError): void {
		for (const session of this.#sessions) session.destroy(reason);
	}

	#sessionWithSlot(): H2Session | undefined {
		const oldest = this.#options.clock.now() - this.#options.maxAgeMs;
		for (const session of this.#sessions) {
			if (session.isAccepting && session.openedAt < oldest) session.drain();
			if (session.isAccepting && session.openStreams < session.limit) return session;
		}
		return undefined;
	}

	#wait(request: WireRequest, handler: StreamHandler): Promise<WireStream> {
		const signal = request.signal ?? request.waiter?.waitSignal();
		return new Promise((resolve, reject) => {
			const leave = (error: WireError) => {
				this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
				waiter.reject(error);
			};
			const onAbort = () => leave(new WireError("aborted", "the request was aborted", { safeToRetry: true }));
			const cancelTimeout = this.#options.clock.after(this.#options.queueTimeoutMs, () => {
				leave(new WireError("refused-stream", "no connection had room for the request", { safeToRetry: true }));
			});
			const tidy = () => {
				cancelTimeout();
				signal?.removeEventListener("abort", onAbort);
			};
			const waiter: Waiter = {
				request,
				handler,
				resolve: (stream) => {
					tidy();
					resolve(stream);
				},
				reject: (error) => {
					tidy();
					reject(error);
				},
			};
			signal?.addEventListener("abort", onAbort, { once: true });
			this.#waiters.push(waiter);
			this.#serveWaiters();
		});
	}

	#serveWaiters(): void {
		while (this.#waiters.length > 0) {
			const session = this.#sessionWithSlot();
			if (session === undefined) break;
			serve(this.#waiters.shift() as Waiter, session);
		}
		while (this.#needsSession()) this.#addSession();
	}

	#needsSession(): boolean {
		if (this.#waiters.length === 0) return false;
		const accepting = [...this.#sessions].filter((session) => session.isAccepting);
		// A peer that allows no stream on an empty session (limit 0) would not allow one on the next session either.
		if (accepting.some((session) => session.openStreams === 0)) return false;
		if (accepting.length + this.#connecting >= this.#options.maxSessions) return false;
		return this.#waiters.length > this.#connecting * Math.max(1, this.#usualLimit);
	}

	#addSession(): void {
		const options = { ...this.#options, pingIntervalMs: this.#pace.intervalMs };
		this.#connecting++;
		H2Session.connect(this.#origin, options, {
			onSlots: () => this.#serveWaiters(),
			onTooManyPings: () => this.#slowPingsDown(),
		}).then(
			(session) => this.#sessionReady(session),
			(error: unknown) => this.#sessionFailed(error),
		);
	}

	#sessionReady(session: H2Session): void {
		this.#connecting--;
		this.#usualLimit = session.limit;
		this.#sessions.add(session);
		session.gone.then(() => {
			this.#sessions.delete(session);
			this.#serveWaiters();
			this.#checkEmpty();
		});
		if (this.#closedBecause !== undefined) session.destroy(this.#closedBecause);
		this.#serveWaiters();
	}

	#sessionFailed(error: unknown): void {
		this.#connecting--;
		if (this.#connecting === 0) this.#rejectWaiters(error);
		this.#checkEmpty();
	}

	#checkEmpty(): void {
		if (this.isEmpty) this.#onEmpty();
	}

	#rejectWaiters(error: unknown): void {
		for (const waiter of this.#waiters.splice(0)) waiter.reject(error);
	}

	#slowPingsDown(): void {
		this.#pace.intervalMs = Math.min(this.#pace.intervalMs * 2, MAX_PING_INTERVAL_MS);
	}
}

function serve(waiter: Waiter, session: H2Session): void {
	try {
		waiter.resolve(session.open(waiter.request, waiter.handler));
	} catch (error) {
		waiter.reject(error);
	}
}
