import type { Clock } from "./clock.ts";
import { WireError } from "./errors.ts";
import type { HeaderMap, ResponseHead, StreamHandler, WireRequest } from "./stream.ts";

/**
 * Keeps the promises of `StreamHandler` for both HTTP versions: the order of the calls, one terminal call, no exception
 * of the handler into Node's event emitters (where it would end the process), and the two ways to give up early.
 */
export class Delivery {
	readonly #handler: StreamHandler;
	readonly #giveUp: () => void;
	readonly #signal: AbortSignal | undefined;
	#sawHead = false;
	#isOver = false;
	#verdict: WireError | undefined;
	#cancelDeadline: (() => void) | undefined;
	readonly #onAbort = () => this.abort("the request was aborted");

	/** `giveUp` must make the transport end the exchange; its close is then reported through `fail`. */
	constructor(request: WireRequest, handler: StreamHandler, clock: Clock, giveUp: () => void) {
		this.#handler = handler;
		this.#giveUp = giveUp;
		this.#signal = request.signal;
		this.#signal?.addEventListener("abort", this.#onAbort, { once: true });
		if (request.deadlineMs !== undefined) this.#armDeadline(clock, request.deadlineMs);
	}

	/** Whether response headers were seen, which proves that the peer worked on the request. */
	get sawHead(): boolean {
		return this.#sawHead;
	}

	/** No further call will reach the handler. */
	get isOver(): boolean {
		return this.#isOver;
	}

	head(head: ResponseHead): void {
		if (this.#isSilenced) return;
		this.#sawHead = true;
		try {
			this.#handler.onHead(head);
		} catch (cause) {
			this.#handlerThrew(cause);
		}
	}

	data(chunk: Buffer): void {
		if (this.#isSilenced) return;
		try {
			this.#handler.onData(chunk);
		} catch (cause) {
			this.#handlerThrew(cause);
		}
	}

	end(trailers: HeaderMap): void {
		if (this.#isSilenced) return;
		this.#finish();
		try {
			this.#handler.onEnd(trailers);
		} catch (cause) {
			warn(cause);
		}
	}

	/** The exchange is gone. An earlier decision to give it up takes precedence over how it then went. */
	fail(error: WireError): void {
		if (this.#isOver) return;
		this.#finish();
		try {
			this.#handler.onError(this.#verdict ?? error);
		} catch (cause) {
			warn(cause);
		}
	}

	/** Silences the handler now; it learns the reason when the transport has closed the exchange. */
	abort(reason: string, cause?: unknown): void {
		this.#settle(new WireError("aborted", reason, { cause }));
	}

	get #isSilenced(): boolean {
		return this.#isOver || this.#verdict !== undefined;
	}

	#armDeadline(clock: Clock, ms: number): void {
		this.#cancelDeadline = clock.after(ms, () => {
			this.#settle(new WireError("deadline-exceeded", `the exchange took longer than ${ms} ms`));
		});
	}

	#handlerThrew(cause: unknown): void {
		this.abort("the handler of the stream threw", cause);
	}

	#settle(verdict: WireError): void {
		if (this.#isSilenced) return;
		this.#verdict = verdict;
		this.#giveUp();
	}

	#finish(): void {
		this.#isOver = true;
		this.#signal?.removeEventListener("abort", this.#onAbort);
		this.#cancelDeadline?.();
	}
}

function warn(cause: unknown): void {
	process.emitWarning(cause instanceof Error ? cause : String(cause));
}
