// A stream handler that keeps what it is given and lets a test wait for it.
import type { WireError } from "../../../src/wire/errors.ts";
import type { HeaderMap, ResponseHead, StreamHandler } from "../../../src/wire/stream.ts";

/** How an exchange ended. */
export type Outcome = { end: HeaderMap } | { error: WireError };

export class ExchangeLog implements StreamHandler {
	readonly head: Promise<ResponseHead>;
	readonly outcome: Promise<Outcome>;
	readonly chunks: Buffer[] = [];
	bytes = 0;
	/** Called for each chunk after it was kept. */
	onChunk: () => void = () => {};
	#resolveHead!: (head: ResponseHead) => void;
	#resolveOutcome!: (outcome: Outcome) => void;
	#wake: () => void = () => {};

	constructor() {
		this.head = new Promise((resolve) => {
			this.#resolveHead = resolve;
		});
		this.outcome = new Promise((resolve) => {
			this.#resolveOutcome = resolve;
		});
	}

	get body(): Buffer {
		return Buffer.concat(this.chunks);
	}

	/** The error of an exchange that must fail. */
	async failure(): Promise<WireError> {
		const outcome = await this.outcome;
		if ("error" in outcome) return outcome.error;
		throw new Error(`the exchange succeeded with ${this.bytes} bytes`);
	}

	/** The trailers of an exchange that must succeed. */
	async success(): Promise<HeaderMap> {
		const outcome = await this.outcome;
		if ("end" in outcome) return outcome.end;
		throw outcome.error;
	}

	async received(bytes: number): Promise<void> {
		while (this.bytes < bytes) {
			await new Promise<void>((resolve) => {
				this.#wake = resolve;
			});
		}
	}

	onHead(head: ResponseHead): void {
		this.#resolveHead(head);
	}

	onData(chunk: Buffer): void {
		this.chunks.push(chunk);
		this.bytes += chunk.length;
		this.#wake();
		this.onChunk();
	}

	onEnd(trailers: HeaderMap): void {
		this.#resolveOutcome({ end: trailers });
	}

	onError(error: WireError): void {
		this.#resolveOutcome({ error });
	}
}
