import type { ClientRequest, IncomingMessage } from "node:http";
import type { Clock } from "../../time/clock.ts";
import { Delivery } from "../delivery.ts";
import { describeCause, WireError } from "../errors.ts";
import type { StreamHandler, WireRequest, WireStream } from "../stream.ts";

/** One exchange over HTTP/1.1. */
export class H1Stream implements WireStream {
	readonly closed: Promise<void>;
	readonly #native: ClientRequest;
	readonly #delivery: Delivery;
	#response: IncomingMessage | undefined;
	#isPaused = false;
	#cause: Error | undefined;

	constructor(native: ClientRequest, clock: Clock, request: WireRequest, handler: StreamHandler) {
		this.#native = native;
		this.#delivery = new Delivery(request, handler, clock, {
			// This ends the connection, which cannot be reused while a body is unread (RFC 9112 section 9.3).
			reset: () => native.destroy(),
			pause: () => this.#setPaused(true),
			resume: () => this.#setPaused(false),
		});
		native.on("response", (response) => this.#receive(response));
		native.on("error", (error) => {
			this.#cause = error;
		});
		this.closed = new Promise((resolve) => {
			native.on("close", () => {
				this.#closed();
				resolve();
			});
		});
	}

	get unsent(): number {
		return this.#native.destroyed ? 0 : this.#native.writableLength;
	}

	write(chunk: Uint8Array): void {
		if (this.#native.writableEnded || this.#native.destroyed) return;
		this.#native.write(chunk);
	}

	drained(): Promise<void> {
		if (this.#native.destroyed || !this.#native.writableNeedDrain) return Promise.resolve();
		const hasRoom = new Promise<void>((resolve) => this.#native.once("drain", resolve));
		return Promise.race([hasRoom, this.closed]);
	}

	end(): void {
		if (!this.#native.writableEnded) this.#native.end();
	}

	cancel(): void {
		this.#delivery.abort("the stream was cancelled");
	}

	pause(): void {
		this.#delivery.pause();
	}

	resume(): void {
		this.#delivery.resume();
	}

	/** May be called before there is a response. */
	#setPaused(isPaused: boolean): void {
		this.#isPaused = isPaused;
		if (isPaused) this.#response?.pause();
		else this.#response?.resume();
	}

	#receive(response: IncomingMessage): void {
		this.#response = response;
		this.#delivery.head({ status: response.statusCode ?? 0, headers: response.headers });
		response.on("data", (chunk: Buffer) => this.#delivery.data(chunk));
		response.on("end", () => this.#ended(response));
		response.on("error", (error) => {
			this.#cause = error;
		});
		if (this.#isPaused) response.pause();
	}

	#ended(response: IncomingMessage): void {
		// An incomplete body is an error (RFC 9112 section 8), which "close" reports.
		if (!response.complete) return;
		this.#delivery.end(response.trailers);
		// The connection cannot be reused while the request is unfinished.
		if (!this.#native.writableEnded) this.#native.destroy();
	}

	#closed(): void {
		if (this.#delivery.isOver) return;
		const cause = this.#cause;
		const reason = cause === undefined ? "the peer closed it" : describeCause(cause);
		this.#delivery.fail(new WireError("connection-lost", `the connection was lost: ${reason}`, { cause }));
	}
}
