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
import { holdSession } from "./h2-session-hold.ts";
import { H2Stream } from "./h2-stream.ts";

/** How a session is set up. */
export interface H2SessionOptions {
	connect: Connect;
	clock: Clock;
	/** Bytes the peer may send ahead on the whole connection. */
	connectionWindow: number;
	/** Bytes the peer may send ahead on one stream. */
	streamWindow: number;
	/** For TCP, proxy, TLS and the peer's SETTINGS together. */
	connectTimeoutMs: number;
	pingIntervalMs: number;
	pingTimeoutMs: number;
	/** A session without a stream for this long is closed. */
	idleMs: number;
}

/** What the owner of a session wants to know. */
export interface H2SessionEvents {
	/** A stream ended or the peer's limit changed. */
	onSlots(): void;
	/** The peer asked for fewer pings. */
	onTooManyPings(): void;
}

/** 1.1 is offered only so that a peer without HTTP/2 answers with its choice instead of a TLS alert. */
const ALPN = ["h2", "http/1.1"];
/** What a peer gets to take our GOAWAY and close its side before the socket is cut. */
const LINGER_MS = 1000;
/** Node's default of 10 MB refuses streams long before the windows above are used up. */
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
	#verdict: WireError | undefined;
	#socketError: Error | undefined;
	#isDraining = false;
	#isGone = false;
	#limit = 0;
	#openStreams = 0;
	#lastUsedAt: number;
	#cancelIdleCheck: (() => void) | undefined;
	#cancelLinger: (() => void) | undefined;

	/** Resolves when the peer has sent its SETTINGS: only then its stream limit is known, and that it speaks HTTP/2 at all. */
	static async connect(origin: URL, options: H2SessionOptions, events: H2SessionEvents): Promise<H2Session> {
		const { clock, connectTimeoutMs } = options;
		const giveUpAt = clock.now() + connectTimeoutMs;
		const socket = await options.connect(origin, { alpn: ALPN, timeoutMs: connectTimeoutMs });
		// By the origin and not by the socket: a plain origin behind a TLS proxy has a TLS socket as well.
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
			onTimeout: () => this.destroy(new WireError("ping-timeout", `${origin.host} stopped answering`)),
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

	/** New streams may be opened here, as far as the peer's limit goes. */
	get isAccepting(): boolean {
		return !this.#isDraining && !this.#native.closed && !this.#native.destroyed;
	}

	get fate(): SessionFate {
		return { goaway: this.#goaway, verdict: this.#verdict, isGone: this.#isGone || this.#native.destroyed };
	}

	/** Starts an exchange. The caller has checked `isAccepting` and the limit. */
	open(request: WireRequest, handler: StreamHandler): H2Stream {
		const native = startRequest(this.#native, request);
		holdSession(this.#native, native);
		this.#openStreams++;
		// After a long silence the path may be dead (NAT, sleep): ask at once, not at the next interval.
		const wasSilentFor = this.#openStreams === 1 ? this.clock.now() - this.#lastUsedAt : 0;
		if (wasSilentFor > this.#options.pingIntervalMs) this.#pinger.ping();
		return new H2Stream(native, this, request, handler);
	}

	/** No new streams; closes when the last one has ended. */
	drain(): void {
		this.#isDraining = true;
		// Not `native.close()` yet: a closing session can no longer be pinged.
		if (this.#openStreams === 0) this.#close();
	}

	/** Ends the connection now; open streams fail with `reason`. */
	destroy(reason: WireError): void {
		this.#verdict ??= reason;
		this.#native.destroy();
		// Node waits until everything was written, which a stalled peer prevents for ever.
		this.#socket.destroy();
	}

	/** For the streams of this session. */
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
				reject(this.#verdict ?? this.#setupFailure());
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
