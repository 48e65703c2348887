import type { Clock } from "../time/clock.ts";
import { type Delay, delay } from "../time/delay-line.ts";
import { WireError } from "./errors.ts";
import { PacedCalls, type Pausable } from "./paced-calls.ts";
import type { HeaderMap, ResponseHead, StreamHandler, WireRequest } from "./stream.ts";

/** How long a peer has to end a body whose content is complete. */
export const CLOSE_GRACE_MS = 1_000;

/** What a delivery can do to the exchange that it belongs to. */
export interface DeliveredExchange extends Pausable {
	/** Ends the exchange now; its close is then reported through `fail`. */
	reset(): void;
}

/**
 * Implements the guarantees of `StreamHandler` for both HTTP versions: the order of the calls, exactly one terminal
 * call, both ways to give up early, and that no stream stays open once its handler is done with it. An exception of
 * the handler does not reach Node's event emitters, where it would end the process. No stream blocks the event loop.
 */
export class Delivery {
	readonly #handler: StreamHandler;
	readonly #exchange: DeliveredExchange;
	readonly #clock: Clock;
	readonly #signal: AbortSignal | undefined;
	readonly #calls: PacedCalls;
	#sawHead = false;
	/** The exchange has closed, although the handler may not have been told yet. */
	#isGone = false;
	#isOver = false;
	#failureReason: WireError | undefined;
	#cancelDeadline: (() => void) | undefined;
	#closeGrace: Delay | undefined;
	readonly #onData = (chunk: Buffer) => this.#data(chunk);
	#onAbort: (() => void) | undefined;

	constructor(request: WireRequest, handler: StreamHandler, clock: Clock, exchange: DeliveredExchange) {
		this.#handler = handler;
		this.#exchange = exchange;
		this.#clock = clock;
		this.#signal = request.signal;
		this.#calls = new PacedCalls(exchange);
		if (this.#signal) this.#watch(this.#signal);
		if (request.deadlineMs !== undefined) this.#armDeadline(request.deadlineMs);
	}

	/** Whether response headers were seen, which proves that the peer processed the request. */
	get sawHead(): boolean {
		return this.#sawHead;
	}

	/** No further call will reach the handler. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** The content is complete, and the peer only has to end the body. */
	get isClosing(): boolean {
		return this.#closeGrace !== undefined;
	}

	head(head: ResponseHead): void {
		if (this.#isSilenced) return;
		this.#sawHead = true;
		try {
			this.#handler.onHead(head);
		} catch (cause) {
			return this.#handlerThrew(cause);
		}
		this.#closeIfRead();
	}

	data(chunk: Buffer): void {
		if (!this.#isSilenced) this.#calls.add(chunk.length, this.#onData, chunk);
	}

	end(trailers: HeaderMap): void {
		if (this.#isSilenced) return;
		this.#isGone = true;
		this.#calls.addLast(() => this.#end(trailers));
	}

	/** The exchange has closed. If it was given up before, the handler gets that reason and not `error`. */
	fail(error: WireError): void {
		this.#isGone = true;
		this.#calls.addLast(() => this.#fail(error));
	}

	/** Stops calling the handler now. It gets the reason when the transport has closed the exchange. */
	abort(reason: string, cause?: unknown): void {
		this.#settle(new WireError("aborted", reason, { cause }));
	}

	/** Stops `onData`, except while only the end of the body is awaited: a paused reader would never see it. */
	pause(): void {
		if (!this.isClosing) this.#calls.pause();
	}

	resume(): void {
		this.#calls.resume();
	}

	#data(chunk: Buffer): void {
		if (this.#isSilenced) return;
		if (this.isClosing) return this.abort("the peer sent more after the end of the content");
		try {
			this.#handler.onData(chunk);
		} catch (cause) {
			return this.#handlerThrew(cause);
		}
		this.#closeIfRead();
	}

	#end(trailers: HeaderMap): void {
		if (this.#isSilenced) return;
		this.#finish();
		try {
			this.#handler.onEnd(trailers);
		} catch (cause) {
			warn(cause);
		}
	}

	#fail(error: WireError): void {
		if (this.#isOver) return;
		this.#finish();
		try {
			this.#handler.onError(this.#failureReason ?? error);
		} catch (cause) {
			warn(cause);
		}
	}

	get #isSilenced(): boolean {
		return this.#isOver || this.#failureReason !== undefined;
	}

	#closeIfRead(): void {
		const { state } = this.#handler;
		if (this.#isSilenced || state === undefined || state === "reading") return;
		if (state === "failed") return this.abort("the content could not be used");
		this.#closeGrace = delay(this.#clock, CLOSE_GRACE_MS, () => this.abort("the peer did not end the body"));
		this.resume();
	}

	#watch(signal: AbortSignal): void {
		this.#onAbort = () => this.abort("the request was aborted");
		signal.addEventListener("abort", this.#onAbort, { once: true });
	}

	#armDeadline(ms: number): void {
		this.#cancelDeadline = this.#clock.after(ms, () => {
			this.#settle(new WireError("deadline-exceeded", `the exchange took longer than ${ms} ms`));
		});
	}

	#handlerThrew(cause: unknown): void {
		this.abort("the handler of the stream threw", cause);
	}

	#settle(reason: WireError): void {
		if (this.#isSilenced) return;
		this.#failureReason = reason;
		this.#calls.clear();
		if (this.#isGone) this.#fail(reason);
		else this.#exchange.reset();
	}

	#finish(): void {
		this.#isOver = true;
		if (this.#onAbort) this.#signal?.removeEventListener("abort", this.#onAbort);
		this.#cancelDeadline?.();
		this.#closeGrace?.cancel();
	}
}

function warn(cause: unknown): void {
	process.emitWarning(cause instanceof Error ? cause : String(cause));
}
