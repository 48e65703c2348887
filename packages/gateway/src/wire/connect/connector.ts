import { isIP, type LookupFunction, connect as openTcp, type Socket } from "node:net";
import { connect as openTls, type TLSSocket } from "node:tls";
import { type Clock, systemClock } from "../../time/clock.ts";
import { describeCause, WireError } from "../errors.ts";
import { chooseProxy, hostOf, type ProxySettings, portOf } from "./proxy.ts";
import { openTunnel } from "./proxy-tunnel.ts";

/** What is required of a connection. */
interface ConnectOptions {
	/** Protocols to offer in the TLS handshake (ALPN), the preferred one first. Not used for `http:` origins. */
	alpn: readonly string[];
	/** Covers everything from the name lookup to the end of the TLS handshake. */
	timeoutMs: number;
}

/** Opens a connection to an origin: a `TLSSocket` for `https:`, a plain socket for `http:`. */
export type Connect = (origin: URL, options: ConnectOptions) => Promise<Socket>;

/** Settings of all connections of the process. */
export interface ConnectorOptions {
	proxy?: ProxySettings;
	/** Trusted roots, see `readTrust`. Default: Node's own list. */
	ca?: readonly string[];
	/** Name resolution. Default: the system's. */
	lookup?: LookupFunction;
	clock?: Clock;
}

/** Lets the kernel detect that a host is gone, even when no HTTP/2 ping can be sent. */
const TCP_KEEP_ALIVE_MS = 20_000;

/** Makes all connections to upstreams, so that proxy, trusted roots and TLS are the same for both HTTP versions. */
export function createConnector(options: ConnectorOptions = {}): Connect {
	const clock = options.clock ?? systemClock;
	return async (origin, { alpn, timeoutMs }) => {
		const attempt = new Attempt(options);
		const cancelTimeout = clock.after(timeoutMs, () => attempt.giveUp(timedOut(origin, timeoutMs)));
		try {
			return await attempt.connect(origin, alpn);
		} catch (error) {
			attempt.giveUp();
			throw error;
		} finally {
			cancelTimeout();
		}
	};
}

/** One connection attempt. Each layer wraps the socket of the layer below, and giving up destroys the outermost. */
class Attempt {
	readonly #options: ConnectorOptions;
	#socket: Socket | undefined;

	constructor(options: ConnectorOptions) {
		this.#options = options;
	}

	async connect(origin: URL, alpn: readonly string[]): Promise<Socket> {
		const proxy = chooseProxy(origin, this.#options.proxy ?? {});
		const nearest = proxy ?? origin;
		let socket = await this.#tcp(nearest);
		if (proxy !== undefined) {
			if (proxy.protocol === "https:") socket = await this.#tls(socket, proxy, ["http/1.1"]);
			await openTunnel(socket, proxy, origin);
		}
		return origin.protocol === "https:" ? this.#tls(socket, origin, alpn) : socket;
	}

	/** Makes the current layer fail with this error. */
	giveUp(error?: WireError): void {
		this.#socket?.destroy(error);
	}

	#tcp(target: URL): Promise<Socket> {
		const socket = openTcp({
			host: hostOf(target),
			port: portOf(target),
			lookup: this.#options.lookup,
			noDelay: true,
			keepAlive: true,
			keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
		});
		return this.#established(socket, "connect", (cause) => {
			const text = `cannot connect to ${target.host}: ${describeCause(cause)}`;
			return new WireError("connect-failed", text, { cause, safeToRetry: true });
		});
	}

	#tls(below: Socket, target: URL, alpn: readonly string[]): Promise<TLSSocket> {
		const host = hostOf(target);
		const socket = openTls({
			socket: below,
			host,
			// The server name cannot be an address (RFC 6066 section 3). The certificate is still checked against `host`.
			servername: isIP(host) === 0 ? host : "",
			ALPNProtocols: [...alpn],
			ca: this.#options.ca === undefined ? undefined : [...this.#options.ca],
			// Explicit, because otherwise NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment would disable the check.
			rejectUnauthorized: true,
		});
		return this.#established(socket, "secureConnect", (cause) => {
			const text = `no TLS connection to ${target.host}: ${describeCause(cause)}`;
			return new WireError("tls", text, { cause, safeToRetry: true });
		});
	}

	#established<T extends Socket>(socket: T, event: string, explain: (cause: Error) => WireError): Promise<T> {
		this.#socket = socket;
		return new Promise((resolve, reject) => {
			// This listener stays: an error without a listener, while the socket changes owners, would end the process.
			socket.on("error", (cause) => reject(cause instanceof WireError ? cause : explain(cause)));
			socket.once("close", () => reject(explain(new Error("the peer closed the connection"))));
			socket.once(event, () => resolve(socket));
		});
	}
}

function timedOut(origin: URL, ms: number): WireError {
	return new WireError("connect-timeout", `no connection to ${origin.host} within ${ms} ms`, { safeToRetry: true });
}
