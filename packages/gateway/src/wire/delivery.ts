import type { Clock } from "../time/clock.ts";
import { WireError } from "./errors.ts";
import { PacedCalls, type Tap } from "./paced-calls.ts";
import type { HeaderMap, ResponseHead, StreamHandler, WireRequest } from "./stream.ts";

/** How long a peer has to close a body whose content is complete. */
export const CLOSE_GRACE_MS = 1_000;

/** What a delivery may do with the exchange that it belongs to. */
export interface DeliveredExchange extends Tap {
	/** Ends the exchange now; its close is then reported through `fail`. */
	reset(): void;
}

/**
 * Keeps the promises of `StreamHandler` for both HTTP versions: the order of the calls, one terminal call, no exception
 * of the handler into Node's event emitters (where it would end the process), the two ways to give up early, that no
 * stream stays open once its handler is done with it, and that none keeps the event loop to itself.
 */
export class Delivery {
	readonly #handler: StreamHandler;
	readonly #exchange: DeliveredExchange;
	readonly #clock: Clock;
	readonly #signal: AbortSignal | undefined;
	readonly #calls: PacedCalls;
	#sawHead = false;
	/** The exchange has closed, though the handler may not know it yet. */
	#isGone = false;
	#isOver = false;
	#verdict: WireError | undefined;
	#cancelDeadline: (() => void) | undefined;
	#cancelCloseGrace: (() => void) | undefined;
	readonly #onAbort = () => this.abort("the request was aborted");

	constructor(request: WireRequest, handler: StreamHandler, clock: Clock, exchange: DeliveredExchange) {
		this.#handler = handler;
		this.#exchange = exchange;
		this.#clock = clock;
		this.#signal = request.signal;
		this.#calls = new PacedCalls(exchange);
		this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
		if (request.deadlineMs !== undefined) this.#armDeadline(request.deadlineMs);
	}

	/** Whether response headers were seen, which proves that the peer worked on the request. */
	get sawHead(): boolean {
		return this.#sawHead;
	}

	/** No further call will reach the handler. */
	get isOver(): boolean {
		return this.#isOver;
	}

	/** The content is complete; only the peer's close is waited for. */
	get isClosing(): boolean {
		return this.#cancelCloseGrace !== undefined;
	}

	head(head: ResponseHead): void {
		if (this.#isSilenced) return;
		this.#sawHead = true;
		try {
			this.#handler.onHead(head);
		} catch (cause) {
			return this.#handlerThrew(cause);
		}
		this.#letGoIfRead();
	}

	data(chunk: Buffer): void {
		if (!this.#isSilenced) this.#calls.add(chunk.length, () => this.#data(chunk));
	}

	end(trailers: HeaderMap): void {
		if (this.#isSilenced) return;
		this.#isGone = true;
		this.#calls.addLast(() => this.#end(trailers));
	}

	/** The exchange is gone. An earlier decision to give it up takes precedence over how it then went. */
	fail(error: WireError): void {
		this.#isGone = true;
		this.#calls.addLast(() => this.#fail(error));
	}

	/** Silences the handler now; it learns the reason when the transport has closed the exchange. */
	abort(reason: string, cause?: unknown): void {
		this.#settle(new WireError("aborted", reason, { cause }));
	}

	/** Stops `onData`, unless only the peer's close is waited for: a reader that is paused would never see it. */
	pause(): void {
		if (!this.isClosing) this.#calls.pause();
	}

	resume(): void {
		this.#calls.resume();
	}

	#data(chunk: Buffer): void {
		if (this.#isSilenced) return;
		if (this.isClosing) return this.abort("the peer went on behind the end of the content");
		try {
			this.#handler.onData(chunk);
		} catch (cause) {
			return this.#handlerThrew(cause);
		}
		this.#letGoIfRead();
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
			this.#handler.onError(this.#verdict ?? error);
		} catch (cause) {
			warn(cause);
		}
	}

	get #isSilenced(): boolean {
		return this.#isOver || this.#verdict !== undefined;
	}

	#letGoIfRead(): void {
		const { state } = this.#handler;
		if (this.#isSilenced || state === undefined || state === "reading") return;
		if (state === "failed") return this.abort("the content could not be used");
		this.#cancelCloseGrace = this.#clock.after(CLOSE_GRACE_MS, () => this.abort("the peer did not close the body"));
		this.resume();
	}

	#armDeadline(ms: number): void {
		this.#cancelDeadline = this.#clock.after(ms, () => {
			this.#settle(new WireError("deadline-exceeded", `the exchange took longer than ${ms} ms`));
		});
	}

	#handlerThrew(cause: unknown): void {
		this.abort("the handler of the stream threw", cause);
	}

	#settle(verdict: WireError): void {
		if (this.#isSilenced) return;
		this.#verdict = verdict;
		this.#calls.clear();
		if (this.#isGone) this.#fail(verdict);
		else this.#exchange.reset();
	}

	#finish(): void {
		this.#isOver = true;
		this.#signal?.removeEventListener("abort", this.#onAbort);
		this.#cancelDeadline?.();
		this.#cancelCloseGrace?.();
	}
}

function warn(cause: unknown): void {
	process.emitWarning(cause instanceof Error ? cause : String(cause));
}
