import { LEVELS, type LevelName, type LogEntry, tidyFields } from "./log-entry.ts";

/** Where lines are written besides being kept here. */
export interface LogWriter {
	info(fields: object, message: string): void;
	warn(fields: object, message: string): void;
	error(fields: object, message: string): void;
}

type Written = "info" | "warn" | "error";

/** An entry with its number; later entries have higher ones. */
export interface NumberedEntry {
	id: number;
	entry: LogEntry;
}

interface KeptEntry {
	at: number;
	level: Written;
	fields: object;
	message: string;
}

const MOST_KEPT = 1_000;

/**
 * The last lines of the log, for `cursorwire logs`, at whatever level the log itself is written. An entry becomes text
 * only when somebody reads it.
 */
export class LogBook {
	readonly #writer: LogWriter;
	readonly #now: () => number;
	readonly #kept: KeptEntry[] = [];
	readonly #followers = new Set<(numbered: NumberedEntry) => void>();
	#written = 0;

	/** `now`: milliseconds since 1970. */
	constructor(writer: LogWriter, now: () => number) {
		this.#writer = writer;
		this.#now = now;
	}

	/** The fields are kept as they are: they must not change any more. */
	write(level: Written, fields: object, message: string): void {
		this.#writer[level](fields, message);
		const kept = { at: this.#now(), level, fields, message };
		this.#kept[this.#written % MOST_KEPT] = kept;
		this.#written++;
		if (this.#followers.size === 0) return;
		const numbered = { id: this.#written, entry: entryOf(kept) };
		for (const follower of this.#followers) follower(numbered);
	}

	/** What is kept, oldest first. */
	entries(): NumberedEntry[] {
		const first = Math.max(0, this.#written - MOST_KEPT);
		return Array.from({ length: this.#written - first }, (_, index) => ({
			id: first + index + 1,
			entry: entryOf(this.#kept[(first + index) % MOST_KEPT]!),
		}));
	}

	/** Calls `follower` with every entry from now on. It must not throw. The returned function ends that. */
	follow(follower: (numbered: NumberedEntry) => void): () => void {
		this.#followers.add(follower);
		return () => this.#followers.delete(follower);
	}
}

function entryOf({ at, level, fields, message }: KeptEntry): LogEntry {
	const number: number = LEVELS[level satisfies LevelName];
	return { level: number, time: new Date(at).toISOString(), ...tidyFields(fields), msg: message };
}
