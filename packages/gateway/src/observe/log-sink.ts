import type { Problem } from "./problem.ts";

/** Writes a text and reports when it is written, or that it failed. One text at a time. */
export type LogOutput = (text: string, done: (error?: Error | null) => void) => void;

export interface LogSinkOptions {
	output: LogOutput;
	/** Milliseconds since 1970. */
	now: () => number;
	/** About how many bytes may wait. */
	mostWaiting?: number;
	/** The form in which a line of JSON is written. Default: as it is. */
	format?: (line: string) => string;
}

const MOST_WAITING = 1024 * 1024;
const TOLD_FOR_MS = 60 * 60 * 1000;

/**
 * Lines of the log that wait to be written. A reader that is slow, stopped or gone must not delay a turn or fill the
 * memory: what does not fit is dropped and counted, and a line with the count precedes the next one that is written.
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
		this.#options = { mostWaiting: MOST_WAITING, format: (line) => line, ...options };
	}

	/** Lines that were dropped since the start. */
	get dropped(): number {
		return this.#dropped;
	}

	write(json: string): void {
		const line = this.#options.format(json);
		if (this.#waitingSize + line.length > this.#options.mostWaiting) return this.#drop(1);
		this.#waiting.push(line);
		this.#waitingSize += line.length;
		this.#send();
	}

	problems(): Problem[] {
		if (this.#options.now() - this.#droppedAt > TOLD_FOR_MS) return [];
		return [{ name: "log", reason: `${this.#dropped} lines of the log were dropped` }];
	}

	/** The lines that still wait, for a last attempt at the end of the process. */
	takeRest(): string {
		const rest = this.#waiting.join("");
		this.#waiting = [];
		this.#waitingSize = 0;
		return rest;
	}

	/** Resolves when everything is written, or after that time. */
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
		const text = (untold > 0 ? this.#dropNotice(untold) : "") + this.takeRest();
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

	#dropNotice(dropped: number): string {
		const time = new Date(this.#options.now()).toISOString();
		const msg = "log lines were dropped, because they were not read in time";
		return this.#options.format(`${JSON.stringify({ level: 40, time, dropped, msg })}\n`);
	}
}
