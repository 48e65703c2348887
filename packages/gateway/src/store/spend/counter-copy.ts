import { closeSync, renameSync, rmSync, writeSync } from "node:fs";
import { OwnFileError, openOwnFile, readWhole, TO_APPEND } from "../../files/own-file.ts";

// A second copy of the counters beside the store, a few seconds old at most. Without it every limit would begin anew
// where a database is lost between two starts.

export interface CopiedCounter {
	counter: string;
	used: number;
	since: number;
	expiresAt: number;
}

const LARGEST = 4 * 1024 * 1024;

export class CounterCopy {
	readonly #file: string;
	readonly #warn: (message: string) => void;
	readonly #now: () => number;
	#problem: string | undefined;

	constructor({ file, now, warn }: { file: string; now: () => number; warn: (message: string) => void }) {
		this.#file = file;
		this.#now = now;
		this.#warn = warn;
	}

	/** Those that still count. */
	read(): CopiedCounter[] {
		return this.#attempt(() => this.#load()) ?? [];
	}

	/** Other processes have counters of their own in it; of a counter that both know, the larger figure stays. */
	write(counters: readonly CopiedCounter[]): void {
		this.#attempt(() => {
			const merged = new Map(counters.map((each) => [each.counter, each]));
			for (const known of this.#load()) {
				if (known.used > (merged.get(known.counter)?.used ?? -1)) merged.set(known.counter, known);
			}
			const draft = `${this.#file}.${process.pid}`;
			// One that a crash has left.
			rmSync(draft, { force: true });
			const descriptor = openOwnFile(draft, TO_APPEND)!;
			try {
				writeSync(descriptor, [...merged.values()].map((each) => `${JSON.stringify(each)}\n`).join(""));
			} finally {
				closeSync(descriptor);
			}
			renameSync(draft, this.#file);
		});
	}

	#load(): CopiedCounter[] {
		const file = readWhole(this.#file, LARGEST);
		if (file === undefined || file === "unchanged") return [];
		return file.text.split("\n").flatMap((line) => parse(line, this.#now()));
	}

	#attempt<T>(work: () => T): T | undefined {
		try {
			const result = work();
			this.#problem = undefined;
			return result;
		} catch (error) {
			const { message, syscall } = error as NodeJS.ErrnoException;
			if (!(error instanceof OwnFileError) && syscall === undefined) throw error;
			if (message !== this.#problem)
				this.#warn(`The second copy of what limits have counted cannot be used. ${message}`);
			this.#problem = message;
			return undefined;
		}
	}
}

function parse(line: string, now: number): CopiedCounter[] {
	try {
		const counter = JSON.parse(line) as CopiedCounter;
		return typeof counter.counter === "string" && counter.used > 0 && counter.expiresAt > now ? [counter] : [];
	} catch {
		return [];
	}
}
