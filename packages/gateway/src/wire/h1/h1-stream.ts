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
			// The connection goes with it: the rest of a body that nobody reads would be in the way of the next request.
			reset: () => native.destroy(),
			pause: () => this.#stop(true),
			resume: () => this.#stop(false),
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

	/** Also before there is a response. */
	#stop(isPaused: boolean): void {
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
		if (!response.complete) return;
		this.#delivery.end(response.trailers);
		// The rest of an unfinished request would be in the way of the next one on this connection.
		if (!this.#native.writableEnded) this.#native.destroy();
	}

	#closed(): void {
		if (this.#delivery.isOver) return;
		const cause = this.#cause;
		const reason = cause === undefined ? "the peer closed it" : describeCause(cause);
		this.#delivery.fail(new WireError("connection-lost", `the connection was lost: ${reason}`, { cause }));
	}
}
