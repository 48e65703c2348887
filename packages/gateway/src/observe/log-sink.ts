import type { Problem } from "./problem.ts";

/** Takes a text and tells when it is through, or that it cannot be. One text at a time. */
export type LogOutput = (text: string, done: (error?: Error | null) => void) => void;

export interface LogSinkOptions {
	output: LogOutput;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Bytes that may wait, roughly. */
	mostWaiting?: number;
}

const MOST_WAITING = 1024 * 1024;
const TOLD_FOR_MS = 60 * 60 * 1000;

/**
 * Lines on their way out. A reader that is slow, stopped or gone must never hold up a turn, nor fill the memory: what
 * does not fit is dropped and counted, and the next line that gets through is preceded by the count.
 */
export class LogSink {
	readonly #options: Required<LogSinkOptions>;
	#waiting: string[] = [];
	#waitingSize = 0;
	#onTheWay = 0;
	#dropped = 0;
	#untold = 0;
	#droppedAt = Number.NEGATIVE_INFINITY;
	#idle: (() => void)[] = [];

	constructor(options: LogSinkOptions) {
		this.#options = { mostWaiting: MOST_WAITING, ...options };
	}

	/** Lines that were dropped since the start. */
	get dropped(): number {
		return this.#dropped;
	}

	write(line: string): void {
		if (this.#waitingSize + line.length > this.#options.mostWaiting) return this.#drop(1);
		this.#waiting.push(line);
		this.#waitingSize += line.length;
		this.#send();
	}

	problems(): Problem[] {
		if (this.#options.now() - this.#droppedAt > TOLD_FOR_MS) return [];
		return [{ name: "log", reason: `${this.#dropped} lines of the log were dropped` }];
	}

	/** What still waits, for a last attempt at the end of the process. */
	takeRest(): string {
		const rest = this.#waiting.join("");
		this.#waiting = [];
		this.#waitingSize = 0;
		return rest;
	}

	/** Resolves when everything is through, or after that time. */
	drain(limitMs: number): Promise<void> {
		if (this.#onTheWay === 0) return Promise.resolve();
		return new Promise((resolve) => {
			const timer = setTimeout(resolve, limitMs);
			this.#idle.push(() => {
				clearTimeout(timer);
				resolve();
			});
		});
	}

	#send(): void {
		if (this.#onTheWay > 0 || this.#waiting.length === 0) return;
		this.#onTheWay = this.#waiting.length;
		const untold = this.#untold;
		const text = (untold > 0 ? this.#confession(untold) : "") + this.takeRest();
		this.#options.output(text, (error) => {
			if (error) this.#drop(this.#onTheWay);
			else this.#untold -= untold;
			this.#onTheWay = 0;
			this.#send();
			if (this.#onTheWay === 0) for (const resolve of this.#idle.splice(0)) resolve();
		});
	}

	#drop(lines: number): void {
		this.#dropped += lines;
		this.#untold += lines;
		this.#droppedAt = this.#options.now();
	}

	#confession(dropped: number): string {
		const time = new Date(this.#options.now()).toISOString();
		return `${JSON.stringify({ level: 40, time, dropped, msg: "lines of the log were dropped, as nobody took them" })}\n`;
	}
}
