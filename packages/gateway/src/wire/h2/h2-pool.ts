import { type Clock, systemClock } from "../../time/clock.ts";
import type { Soon } from "../../time/soon.ts";
import type { Connect } from "../connect/connector.ts";
import { WireError } from "../errors.ts";
import type { StreamHandler, Transport, WireRequest, WireStream } from "../stream.ts";
import { H2Lane, type H2LaneOptions, type PingPace } from "./h2-lane.ts";

/** Options of an `H2Pool`; all but `connect` have a default. */
export type H2PoolOptions = Partial<Omit<H2LaneOptions, "connect">> & { connect: Connect };

/** Current numbers, for diagnostics. */
export interface H2PoolStats {
	/** Pairs of an origin and a key that have a connection or wait for one. */
	lanes: number;
	sessions: number;
	connecting: number;
	openStreams: number;
	/** Requests that wait for a connection. */
	waiting: number;
}

const KiB = 1024;
const MiB = 1024 * KiB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;

const DEFAULTS = {
	// The initial window of 64 KiB (RFC 9113 section 6.9.2) would allow 1.6 MB/s at a round trip of 40 ms.
	connectionWindow: 16 * MiB,
	// Of a stream alone: 3 MB/s at 40 ms. What streams bring faster than it is passed on waits in memory (ADR 67).
	streamWindow: 128 * KiB,
	connectTimeoutMs: 10 * SECOND,
	queueTimeoutMs: 30 * SECOND,
	pingIntervalMs: 20 * SECOND,
	pingTimeoutMs: 10 * SECOND,
	idleMs: 5 * MINUTE,
	maxAgeMs: 15 * MINUTE,
	maxSessions: 16,
};

/**
 * HTTP/2 connections, shared by all requests with the same origin and key. Another connection is made only when the
 * peer's limit of concurrent streams is reached, or when the current one is too old or closing.
 */
export class H2Pool implements Transport {
	readonly #options: H2LaneOptions;
	readonly #clock: Clock;
	readonly #lanes = new Map<string, H2Lane>();
	/** Lanes that accept no more requests, kept until their last connection has closed. */
	readonly #released = new Set<H2Lane>();
	/** By origin: a peer that asks for fewer pings means all of its connections. Never deleted, as origins are few. */
	readonly #paces = new Map<string, PingPace>();
	/** The lane of the last request, which is nearly always that of the next one too. */
	#last: { origin: URL; key: string; lane: H2Lane } | undefined;
	#isClosed = false;

	constructor(options: H2PoolOptions) {
		this.#clock = options.clock ?? systemClock;
		this.#options = { ...DEFAULTS, clock: this.#clock, ...options };
	}

	open(request: WireRequest, handler: StreamHandler): Soon<WireStream> {
		if (this.#isClosed) throw poolClosed();
		if (request.signal?.aborted) throw new WireError("aborted", "the request was aborted", { safeToRetry: true });
		return this.#laneOf(request).open(request, handler);
	}

	stats(): H2PoolStats {
		const stats: H2PoolStats = { lanes: this.#lanes.size, sessions: 0, connecting: 0, openStreams: 0, waiting: 0 };
		for (const lane of this.#allLanes()) {
			stats.sessions += lane.sessions.size;
			stats.connecting += lane.connecting;
			stats.waiting += lane.waiting;
			for (const session of lane.sessions) stats.openStreams += session.openStreams;
		}
		return stats;
	}

	/** Closes the connections of a key, each one when its last stream has ended, and forgets them. */
	release(key: string): void {
		this.#last = undefined;
		for (const [name, lane] of this.#lanes) {
			if (!name.endsWith(` ${key}`)) continue;
			this.#lanes.delete(name);
			this.#released.add(lane);
			lane.drain(new WireError("aborted", "the account is no longer in use", { safeToRetry: true }));
			void Promise.all([...lane.sessions].map((session) => session.gone)).then(() => this.#released.delete(lane));
		}
	}

	/** Refuses new requests, gives open streams `graceMs` to finish, then ends them. Resolves when no session is left. */
	async close(graceMs = 0): Promise<void> {
		this.#isClosed = true;
		const lanes = this.#allLanes();
		const allGone = Promise.all(lanes.flatMap((lane) => [...lane.sessions]).map((session) => session.gone));
		for (const lane of lanes) lane.drain(poolClosed());
		if (graceMs > 0) await Promise.race([allGone, new Promise<void>((resolve) => this.#clock.after(graceMs, resolve))]);
		for (const lane of lanes) lane.destroy(poolClosed());
		await allGone;
	}

	#allLanes(): H2Lane[] {
		return [...this.#lanes.values(), ...this.#released];
	}

	#laneOf({ origin, key }: WireRequest): H2Lane {
		if (this.#last?.origin === origin && this.#last.key === key) return this.#last.lane;
		const lane = this.#find(origin, key);
		this.#last = { origin, key, lane };
		return lane;
	}

	#find(origin: URL, key: string): H2Lane {
		const name = `${origin.origin} ${key}`;
		let lane = this.#lanes.get(name);
		if (lane === undefined) {
			const made = new H2Lane(origin, this.#options, this.#paceOf(origin), () => this.#forget(name, made));
			this.#lanes.set(name, made);
			lane = made;
		}
		return lane;
	}

	/** A lane that was released may have a successor of the same name. */
	#forget(name: string, lane: H2Lane): void {
		this.#last = undefined;
		this.#released.delete(lane);
		if (this.#lanes.get(name) === lane) this.#lanes.delete(name);
	}

	#paceOf({ origin }: URL): PingPace {
		let pace = this.#paces.get(origin);
		if (pace === undefined) {
			pace = { intervalMs: this.#options.pingIntervalMs };
			this.#paces.set(origin, pace);
		}
		return pace;
	}
}

function poolClosed(): WireError {
	return new WireError("aborted", "the connection pool is closed", { safeToRetry: true });
}
