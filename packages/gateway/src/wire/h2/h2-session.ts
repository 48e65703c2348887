import { type ClientHttp2Session, connect as connectHttp2, constants } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Clock } from "../../time/clock.ts";
import type { Connect } from "../connect/connector.ts";
import { describeCause, WireError } from "../errors.ts";
import type { StreamHandler, WireRequest } from "../stream.ts";
import type { Goaway, SessionFate } from "./h2-errors.ts";
import { Pinger } from "./h2-ping.ts";
import { startRequest } from "./h2-request.ts";
import { SessionHold } from "./h2-session-hold.ts";
import { H2Stream } from "./h2-stream.ts";

/** How a session is set up. */
export interface H2SessionOptions {
	connect: Connect;
	clock: Clock;
	/** Flow-control window of the connection in bytes (RFC 9113 section 6.9). */
	connectionWindow: number;
	/** Flow-control window of each stream in bytes. */
	streamWindow: number;
	/** Covers TCP, proxy, TLS and the peer's SETTINGS. */
	connectTimeoutMs: number;
	pingIntervalMs: number;
	pingTimeoutMs: number;
	/** A session is closed after this time without a stream. */
	idleMs: number;
}

/** What a session reports to its owner. */
export interface H2SessionEvents {
	/** A stream ended or the peer's limit changed. */
	onSlots(): void;
	/** The peer asked for fewer pings. */
	onTooManyPings(): void;
}

/**
 * HTTP/1.1 is offered only so that a peer without HTTP/2 completes the handshake with it. Otherwise it would send the
 * alert no_application_protocol (RFC 7301 section 3.2), which is harder to tell from other TLS failures.
 */
const ALPN = ["h2", "http/1.1"];
/** How long a peer has to receive our GOAWAY and close its side before the socket is destroyed. */
const LINGER_MS = 1000;
/** With its default of 10 MB Node refuses streams long before the flow-control windows are used up. */
const SESSION_MEMORY_MB = 1000;

/** One HTTP/2 connection, from the peer's first SETTINGS to its end. */
export class H2Session {
	readonly openedAt: number;
	/** Resolves when the socket is closed. */
	readonly gone: Promise<void>;
	readonly #origin: URL;
	readonly #socket: Socket;
	readonly #native: ClientHttp2Session;
	readonly #options: H2SessionOptions;
	readonly #events: H2SessionEvents;
	readonly #pinger: Pinger;
	#goaway: Goaway | undefined;
	#failureReason: WireError | undefined;
	#socketError: Error | undefined;
	#isDraining = false;
	#isGone = false;
	#limit = 0;
	#openStreams = 0;
	#lastUsedAt: number;
	#cancelIdleCheck: (() => void) | undefined;
	#cancelLinger: (() => void) | undefined;

	/**
	 * Resolves when the peer has sent its SETTINGS, which are its part of the connection preface (RFC 9113 section 3.4).
	 * Only then are its stream limit and the fact that it speaks HTTP/2 known.
	 */
	static async connect(origin: URL, options: H2SessionOptions, events: H2SessionEvents): Promise<H2Session> {
		const { clock, connectTimeoutMs } = options;
		const giveUpAt = clock.now() + connectTimeoutMs;
		const socket = await options.connect(origin, { alpn: ALPN, timeoutMs: connectTimeoutMs });
		// Decided by the origin, not by the socket: a plain origin behind a TLS proxy also has a TLS socket.
		if (origin.protocol === "https:" && (socket as TLSSocket).alpnProtocol !== "h2") {
			socket.destroy();
			throw new WireError("alpn-no-h2", `${origin.host} does not offer HTTP/2`, { safeToRetry: true });
		}
		const session = new H2Session(origin, socket, options, events);
		await session.#settingsReceived(giveUpAt - clock.now());
		return session;
	}

	private constructor(origin: URL, socket: Socket, options: H2SessionOptions, events: H2SessionEvents) {
		this.#origin = origin;
		this.#socket = socket;
		this.#options = options;
		this.#events = events;
		this.openedAt = options.clock.now();
		this.#lastUsedAt = this.openedAt;
		this.#native = connectHttp2(origin, {
			createConnection: () => socket,
			settings: { enablePush: false, initialWindowSize: options.streamWindow },
			maxSessionMemory: SESSION_MEMORY_MB,
		});
		this.#native.setLocalWindowSize(options.connectionWindow);
		this.gone = new Promise((resolve) => socket.once("close", () => resolve()));
		this.#listen();
		this.#pinger = new Pinger(this.#native, {
			intervalMs: options.pingIntervalMs,
			timeoutMs: options.pingTimeoutMs,
			clock: options.clock,
			isNeeded: () => this.#openStreams > 0,
			onTimeout: () => this.destroy(new WireError("ping-timeout", `${origin.host} stopped responding`)),
		});
		this.#scheduleIdleCheck(options.idleMs);
	}

	get clock(): Clock {
		return this.#options.clock;
	}

	get openStreams(): number {
		return this.#openStreams;
	}

	/** How many streams the peer allows at once. */
	get limit(): number {
		return this.#limit;
	}

	/** Whether new streams may be opened here, up to the peer's limit. */
	get isAccepting(): boolean {
		return !this.#isDraining && !this.#native.closed && !this.#native.destroyed;
	}

	get fate(): SessionFate {
		return { goaway: this.#goaway, failureReason: this.#failureReason, isGone: this.#isGone || this.#native.destroyed };
	}

	/** Starts an exchange. The caller has checked `isAccepting` and the limit. */
	open(request: WireRequest, handler: StreamHandler): H2Stream {
		const native = startRequest(this.#native, request);
		const hold = new SessionHold(this.#native);
		this.#openStreams++;
		// After a long silence the path may be dead (NAT, sleep): ping at once instead of at the next interval.
		const wasSilentFor = this.#openStreams === 1 ? this.clock.now() - this.#lastUsedAt : 0;
		if (wasSilentFor > this.#options.pingIntervalMs) this.#pinger.ping();
		return new H2Stream(native, this, hold, request, handler);
	}

	/** Accepts no new streams and closes when the last one has ended. */
	drain(): void {
		this.#isDraining = true;
		// Not `native.close()` yet: a closing session can no longer be pinged.
		if (this.#openStreams === 0) this.#close();
	}

	/** Ends the connection now; open streams fail with `reason`. */
	destroy(reason: WireError): void {
		this.#failureReason ??= reason;
		this.#native.destroy();
		// Node would wait until everything is written, which a stalled peer prevents forever.
		this.#socket.destroy();
	}

	/** Called by the streams of this session. */
	streamClosed(): void {
		this.#openStreams--;
		this.#lastUsedAt = this.clock.now();
		if (this.#openStreams === 0 && !this.isAccepting) this.#close();
		this.#events.onSlots();
	}

	#listen(): void {
		this.#native.on("goaway", (code, lastStreamId) => {
			this.#goaway = { code, lastStreamId };
			if (code === constants.NGHTTP2_ENHANCE_YOUR_CALM) this.#events.onTooManyPings();
			if (this.#openStreams === 0) this.drain();
		});
		this.#native.on("remoteSettings", (settings) => {
			// Without this setting there is no limit (RFC 9113 section 6.5.2).
			this.#limit = settings.maxConcurrentStreams ?? Number.POSITIVE_INFINITY;
			this.#events.onSlots();
		});
		this.#native.on("error", (error: Error) => {
			this.#socketError = error;
		});
		this.#socket.once("close", () => this.#gone());
	}

	#settingsReceived(timeoutMs: number): Promise<void> {
		return new Promise((resolve, reject) => {
			const cancelTimeout = this.clock.after(timeoutMs, () => {
				const text = `${this.#origin.host} sent no HTTP/2 settings in time`;
				this.destroy(new WireError("connect-timeout", text, { safeToRetry: true }));
			});
			this.#native.once("remoteSettings", () => {
				cancelTimeout();
				resolve();
			});
			this.#socket.once("close", () => {
				cancelTimeout();
				reject(this.#failureReason ?? this.#setupFailure());
			});
		});
	}

	#setupFailure(): WireError {
		const cause = this.#socketError;
		const reason = cause === undefined ? "the peer closed the connection" : describeCause(cause);
		const text = `no HTTP/2 connection to ${this.#origin.host}: ${reason}`;
		return new WireError("connect-failed", text, { cause, safeToRetry: true });
	}

	#scheduleIdleCheck(ms: number): void {
		this.#cancelIdleCheck = this.clock.after(ms, () => {
			const idleFor = this.#openStreams > 0 ? 0 : this.clock.now() - this.#lastUsedAt;
			if (idleFor >= this.#options.idleMs) this.drain();
			else this.#scheduleIdleCheck(this.#options.idleMs - idleFor);
		});
	}

	#close(): void {
		if (this.#isGone) return;
		this.#native.destroy();
		this.#cancelLinger?.();
		this.#cancelLinger = this.clock.after(LINGER_MS, () => this.#socket.destroy());
	}

	#gone(): void {
		this.#isGone = true;
		this.#pinger.stop();
		this.#cancelIdleCheck?.();
		this.#cancelLinger?.();
	}
}
