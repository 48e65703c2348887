import { type ClientRequest, request as httpRequest } from "node:http";
import { type Clock, systemClock } from "../../time/clock.ts";
import type { Connect } from "../connect/connector.ts";
import { describeCause, WireError } from "../errors.ts";
import type { StreamHandler, Transport, WireRequest, WireStream } from "../stream.ts";
import { H1Agent } from "./h1-agent.ts";
import { H1Stream } from "./h1-stream.ts";

/** Options of an `H1Client`. */
export interface H1ClientOptions {
	connect: Connect;
	clock?: Clock;
	/** Covers TCP, proxy and TLS. Default 10 s. */
	connectTimeoutMs?: number;
	/** How long an unused connection is kept. Default 30 s. */
	idleMs?: number;
}

/** Current numbers, for diagnostics. */
export interface H1ClientStats {
	/** Pairs of an origin and a key that have a connection. */
	agents: number;
	connections: number;
	/** Exchanges in progress. */
	openStreams: number;
}

const DEFAULT_CONNECT_TIMEOUT_MS = 10_000;
const DEFAULT_IDLE_MS = 30_000;

/**
 * HTTP/1.1 with persistent connections (RFC 9112 section 9.3). The request headers are sent with the first `write` or
 * with `end`. A redirect is returned like any other status: following it would send the credentials to another host.
 */
export class H1Client implements Transport {
	readonly #options: H1ClientOptions;
	readonly #clock: Clock;
	readonly #agents = new Map<string, H1Agent>();
	/** Agents that accept no more requests, kept until their last exchange has ended. */
	readonly #released = new Set<H1Agent>();
	#openStreams = 0;
	#isClosed = false;

	constructor(options: H1ClientOptions) {
		this.#options = options;
		this.#clock = options.clock ?? systemClock;
	}

	async open(request: WireRequest, handler: StreamHandler): Promise<WireStream> {
		if (this.#isClosed) throw new WireError("aborted", "the client is closed", { safeToRetry: true });
		const signal = request.signal ?? request.waiter?.waitSignal();
		if (signal?.aborted) throw aborted();
		const native = this.#startRequest(request);
		await connected(native, signal);
		const stream = new H1Stream(native, this.#clock, request, handler);
		this.#openStreams++;
		void stream.closed.then(() => this.#openStreams--);
		return stream;
	}

	stats(): H1ClientStats {
		const agents = [...this.#agents.values()];
		const connections = agents.reduce((sum, agent) => sum + agent.connections, 0);
		return { agents: agents.length, connections, openStreams: this.#openStreams };
	}

	/** Closes the connections of a key, each one in use when its exchange has ended, and forgets them. */
	release(key: string): void {
		for (const [name, agent] of this.#agents) {
			if (!name.endsWith(` ${key}`)) continue;
			this.#agents.delete(name);
			this.#released.add(agent);
			agent.retire(() => this.#released.delete(agent));
		}
	}

	/** Ends all connections and the exchanges on them. */
	close(): void {
		this.#isClosed = true;
		for (const agent of [...this.#agents.values(), ...this.#released]) agent.destroy();
	}

	#startRequest(request: WireRequest): ClientRequest {
		const headers = { ...request.headers, host: request.origin.host };
		const agent = this.#agentOf(request);
		try {
			return httpRequest({ agent, method: request.method ?? "POST", path: request.path, headers });
		} catch (cause) {
			throw new WireError("bad-request", describeCause(cause), { cause, safeToRetry: true });
		}
	}

	#agentOf(request: WireRequest): H1Agent {
		const name = `${request.origin.origin} ${request.key}`;
		let agent = this.#agents.get(name);
		if (agent === undefined) {
			const { connect, connectTimeoutMs, idleMs } = this.#options;
			const timeoutMs = connectTimeoutMs ?? DEFAULT_CONNECT_TIMEOUT_MS;
			agent = new H1Agent(request.origin, { connect, timeoutMs, idleMs: idleMs ?? DEFAULT_IDLE_MS }, () =>
				this.#agents.delete(name),
			);
			this.#agents.set(name, agent);
		}
		return agent;
	}
}

/** Resolves when the request has a connection. Nothing of it is sent before. */
function connected(native: ClientRequest, signal: AbortSignal | undefined): Promise<void> {
	return new Promise((resolve, reject) => {
		const onAbort = () => {
			native.destroy();
			reject(aborted());
		};
		signal?.addEventListener("abort", onAbort, { once: true });
		// This listener stays: a request that is destroyed while it waits for a socket only reports that with the socket.
		native.on("error", (error) => {
			signal?.removeEventListener("abort", onAbort);
			reject(error instanceof WireError ? error : connectFailed(error));
		});
		native.once("socket", () => {
			signal?.removeEventListener("abort", onAbort);
			resolve();
		});
	});
}

function aborted(): WireError {
	return new WireError("aborted", "the request was aborted", { safeToRetry: true });
}

function connectFailed(cause: Error): WireError {
	return new WireError("connect-failed", describeCause(cause), { cause, safeToRetry: true });
}
