import type { Clock } from "../../time/clock.ts";
import type { SendResult } from "./otlp-sender.ts";
import type { Span } from "./span.ts";

export interface SpanQueueOptions {
	clock: Clock;
	/** How long spans are collected before they are sent. */
	delayMs: number;
	send(spans: readonly Span[], signal: AbortSignal): Promise<SendResult>;
	/** Called once, when spans are dropped for the first time. */
	warn(message: string): void;
}

/** Spans that may wait, and how many are sent at once. */
const MOST_WAITING = 2_048;
const MOST_AT_ONCE = 512;
/** A collector that fails is tried again after twice the time, up to this. */
const LONGEST_DELAY_MS = 60_000;

/**
 * Spans on their way to a collector. A collector that is slow or away delays nothing: what does not fit is dropped and
 * counted.
 */
export class SpanQueue {
	readonly #options: SpanQueueOptions;
	readonly #abort = new AbortController();
	#waiting: Span[] = [];
	#sending: Promise<void> | undefined;
	#cancelTimer: (() => void) | undefined;
	#failures = 0;
	#reason = "they come faster than it takes them";
	#dropped = 0;

	constructor(options: SpanQueueOptions) {
		this.#options = options;
	}

	/** Spans that were dropped since the start. */
	get dropped(): number {
		return this.#dropped;
	}

	readonly write = (span: Span): void => {
		if (this.#waiting.length >= MOST_WAITING) return this.drop(1);
		this.#waiting.push(span);
		this.#arm();
	};

	drop(count: number): void {
		if (this.#dropped === 0) this.#options.warn(`spans are dropped, because of the collector: ${this.#reason}`);
		this.#dropped += count;
	}

	/** Sends what waits, for at most this long. What is left then is dropped. */
	async close(limitMs: number): Promise<void> {
		this.#cancelTimer?.();
		let isLate = false;
		const timer = setTimeout(() => {
			isLate = true;
			this.#abort.abort();
		}, limitMs);
		await this.#sending;
		while (this.#waiting.length > 0 && !isLate) {
			const before = this.#failures;
			await this.#sendSome();
			if (this.#failures > before) break;
		}
		clearTimeout(timer);
		this.#cancelTimer?.();
		if (this.#waiting.length > 0) this.drop(this.#waiting.splice(0).length);
	}

	#arm(): void {
		if (this.#cancelTimer || this.#sending) return;
		const { clock, delayMs } = this.#options;
		const delay = Math.min(delayMs * 2 ** this.#failures, Math.max(delayMs, LONGEST_DELAY_MS));
		this.#cancelTimer = clock.after(delay, () => {
			this.#cancelTimer = undefined;
			this.#sending = this.#sendSome().finally(() => {
				this.#sending = undefined;
				if (this.#waiting.length > 0) this.#arm();
			});
		});
	}

	async #sendSome(): Promise<void> {
		const batch = this.#waiting.slice(0, MOST_AT_ONCE);
		const result = await this.#options.send(batch, this.#abort.signal);
		if (result.how === "sent") {
			this.#failures = 0;
			this.#waiting.splice(0, batch.length);
			return;
		}
		this.#failures++;
		this.#reason = result.reason;
		if (result.how === "later") return;
		this.#waiting.splice(0, batch.length);
		this.drop(batch.length);
	}
}
