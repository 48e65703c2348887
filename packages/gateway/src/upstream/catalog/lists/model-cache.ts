import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { writeWhole } from "../../../files/write-whole.ts";
import { ModelListsSchema } from "./model-lists.ts";

const EntrySchema = z.object({
	/** Milliseconds since the epoch. */
	fetchedAt: z.number(),
	lists: ModelListsSchema,
	/** Spellings that worked, by model id. */
	spellings: z.record(z.string(), z.enum(["parameters", "flattened", "plain"])),
	/** When models were first seen, by id. A model that is missing here first appeared in these lists. */
	firstSeen: z.record(z.string(), z.number()).default({}),
});

const FileSchema = z.object({ version: z.literal(1), entries: z.record(z.string(), z.unknown()) });

/** The cached data on one account's models. */
export type CacheEntry = z.output<typeof EntrySchema>;

const MOST_ENTRIES = 8;

/** Entries of several accounts share the file, so each write must see what the previous one wrote. */
let lastWrite: Promise<unknown> = Promise.resolve();

/**
 * `models.json` in the data folder, with one entry per upstream and account. It only saves time, so a file that is
 * missing, damaged or not writable is never an error.
 */
export class ModelCache {
	readonly #path: string;
	readonly #owner: string;

	constructor(dataDir: string, upstream: URL, accountId: string) {
		this.#path = join(dataDir, "models.json");
		this.#owner = `${upstream.href} ${accountId}`;
	}

	async read(): Promise<CacheEntry | undefined> {
		const entry = EntrySchema.safeParse((await this.#entries())[this.#owner]);
		return entry.success ? entry.data : undefined;
	}

	/** Keeps the other entries, up to a limit, newest first. Returns whether the write succeeded. */
	write(entry: CacheEntry): Promise<boolean> {
		const writing = lastWrite.then(() => this.#write(entry));
		lastWrite = writing;
		return writing;
	}

	async #write(entry: CacheEntry): Promise<boolean> {
		const others = Object.entries(await this.#entries()).filter(([owner]) => owner !== this.#owner);
		const kept = others.sort(([, a], [, b]) => fetchedAt(b) - fetchedAt(a)).slice(0, MOST_ENTRIES - 1);
		const content = { version: 1, entries: { [this.#owner]: entry, ...Object.fromEntries(kept) } };
		return writeWhole(this.#path, JSON.stringify(content));
	}

	async #entries(): Promise<Record<string, unknown>> {
		try {
			return FileSchema.parse(JSON.parse(await readFile(this.#path, "utf8"))).entries;
		} catch {
			return {};
		}
	}
}

function fetchedAt(entry: unknown): number {
	const parsed = EntrySchema.safeParse(entry);
	return parsed.success ? parsed.data.fetchedAt : 0;
}
